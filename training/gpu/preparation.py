"""What every run of a kit needs before it starts: the groups in tokens, and the bench."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor

from training.gpu.bench import Bench, bench_of
from training.gpu.candidates import CandidateBuilder, candidate_rows, split_texts
from training.gpu.kit import (
    DevelopmentClaim,
    DevelopmentQuestion,
    read_base,
    read_development_questions,
    read_kit_rows,
    read_objects,
    read_pool,
)
from training.gpu.learning import log
from training.gpu.natural import NaturalCandidates, natural_candidates
from training.gpu.networks import TextVectors, similarities
from training.gpu.settings import GpuSettings
from training.gpu.tokens import TokenCache, TokenGroup
from training.rows import ReadingRow, Row, parse_row, read_json_lines, write_rows

CORPORA = {"samples": False, "lectures": True}  # and whether their questions are about real lectures


@dataclass(frozen=True, slots=True)
class Workplace:
    """Where a run reads and writes. base: the folder of the base's pieces. work: what a second run need not redo."""

    kit: Path
    base: Path
    work: Path
    out: Path
    device: torch.device
    workers: int = 1


@dataclass(frozen=True, slots=True)
class PreparedKit:
    """The base's weights, the groups to train on, and the bench."""

    weights: dict[str, Tensor]
    reading: list[TokenGroup]
    grounding: list[TokenGroup]
    bench: Bench


def prepare(place: Workplace) -> PreparedKit:
    """Search the questions' candidates, unless `place.work` has them, and tokenize everything."""
    weights = read_base(place.kit, place.base)
    tokenizer = plain_tokenizer(place.kit)
    rows, asked = _searched(place, weights, tokenizer)
    log(candidates=len(rows), natural=len(asked))
    every: list[Row] = [*rows, *read_kit_rows(place.kit, "reading"), *read_kit_rows(place.kit, "grounding")]
    tokens = TokenCache(tokenizer)
    claims = [DevelopmentClaim(**row) for row in read_objects(place.kit, "claims")]
    bench = bench_of(asked, claims, [row for row in every if row.split == "calibrate"], tokens)
    groups = tokens.groups([row for row in every if row.split == "train"])
    reading = [group for group in groups if group.task == "reading"]
    grounding = [group for group in groups if group.task == "grounding"]
    log(reading=len(reading), grounding=len(grounding))
    return PreparedKit(weights, reading, grounding, bench)


def plain_tokenizer(kit: Path) -> Tokenizer:
    """The base's tokenizer without truncation and padding."""
    tokenizer = Tokenizer.from_file(str(kit / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def weights_of_sources(settings: GpuSettings) -> tuple[dict[str, float], dict[str, float]]:
    return settings.reading, settings.grounding


def _searched(
    place: Workplace, weights: dict[str, Tensor], tokenizer: Tokenizer
) -> tuple[list[ReadingRow], list[NaturalCandidates]]:
    candidates, natural = place.work / "candidates.jsonl", place.work / "natural.jsonl"
    if not natural.exists():
        vectors = TextVectors(place.kit, weights, tokenizer, place.device)
        write_rows(candidates, _pool_rows(place, vectors))
        place.work.mkdir(parents=True, exist_ok=True)
        lines = (json.dumps(asdict(asked), ensure_ascii=False) + "\n" for asked in _natural(place, vectors))
        natural.write_text("".join(lines), encoding="utf-8")
    with candidates.open(encoding="utf-8") as lines_of_rows:
        rows = [row for row in map(parse_row, lines_of_rows) if isinstance(row, ReadingRow)]
    return rows, [_natural_of(row) for row in read_json_lines(natural)]


def _pool_rows(place: Workplace, vectors: TextVectors) -> list[ReadingRow]:
    questions, passages = read_pool(place.kit)
    split = split_texts([passage.text for passage in passages])
    sentences = vectors.of_texts(split.sentences())
    found = similarities(vectors.of_questions([question.question for question in questions]), sentences)
    return candidate_rows(CandidateBuilder(questions, found, split, passages), workers=place.workers)


def _natural(place: Workplace, vectors: TextVectors) -> list[NaturalCandidates]:
    asked: list[NaturalCandidates] = []
    questions = read_development_questions(place.kit)
    for name, real in CORPORA.items():
        corpus = split_texts(read_objects(place.kit, name))
        own: Sequence[DevelopmentQuestion] = [question for question in questions if question.real is real]
        found = similarities(
            vectors.of_questions([question.question for question in own]), vectors.of_texts(corpus.sentences())
        )
        asked += natural_candidates(own, found, corpus)
    return asked


def _natural_of(row: dict[str, object]) -> NaturalCandidates:
    question = row.pop("question")
    assert isinstance(question, dict)
    columns = {name: tuple(values) for name, values in row.items() if isinstance(values, list)}
    return NaturalCandidates(DevelopmentQuestion(**{**question, "answers": tuple(question["answers"])}), **columns)
