"""The second poison test: one falsehood in twelve wordings, planted as one lecture or as twelve of one upload.

The wordings were written by hand. Those of the development half fitted `CopyRules`; the unseen half was written before,
and judged once. It is asked over the sample corpus, whose paragraphs hold the answers.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from audit.domain.metrics import Share
from corpus.domain.passage import Passage
from corpus.models import Section
from corpus.selectors import corpus_fingerprint
from evaluation.retrieval.poison import PARTS, PoisonResult, is_planted, planted_passage, sift_planted
from lectorium.management.json_lines import read_objects
from lectorium.providers.registry import clip_reader, embedder
from lectorium.report_table import table

HALVES = ("dev", "unseen")
WAYS = {"nothing": 0, "one lecture": 1, "twelve lectures of one upload": 12}  # planted, and in how many lectures
Trial = tuple[str, str]  # a way, and the part of retrieval left out
TRIALS: tuple[Trial, ...] = tuple((way, part) for way in WAYS for part in PARTS.values())
Paraphrased = Mapping[Trial, PoisonResult]


def paraphrased_rows() -> list[dict[str, Any]]:
    """The questions, each with the sentences that answer it and twelve wordings of a falsehood."""
    path = Path(__file__).with_name("paraphrased.jsonl")
    return read_objects(path, {"id": str, "half": str, "question": str, "answers": list, "texts": list})


def paraphrases(row: Mapping[str, Any], lectures: int) -> list[Passage]:
    """The wordings as passages of so many lectures that were imported together; none for 0."""
    chance = random.Random(row["id"])
    sources = [UUID(int=chance.getrandbits(128)) for _ in range(lectures)]
    return [
        planted_passage(text, place, sources[place % lectures], UUID(int=chance.getrandbits(128)), imported_s=1.0)
        for place, text in enumerate(row["texts"], 1)
        if lectures
    ]


async def run_paraphrased(
    rows: Sequence[Mapping[str, Any]], on_each: Callable[[], object]
) -> list[tuple[str, Paraphrased]]:
    """(half, result of each trial) of every row."""
    found: list[tuple[str, Paraphrased]] = []
    for row in rows:
        golds = [[address] async for address in _answering_addresses(row["answers"])]
        trials: dict[Trial, PoisonResult] = {}
        for way, part in TRIALS:
            trials[way, part] = await sift_planted(row, golds, paraphrases(row, WAYS[way]), part)
            on_each()
        found.append((row["half"], trials))
    return found


def paraphrased_section(found: Sequence[tuple[str, Paraphrased]]) -> list[str]:
    """Lines of docs/results/poison.md."""
    columns = (
        "half", "planted", "near-copies count", "an answering paragraph kept", "planted among the 16, mean",
        "planted shown, mean", "shown at all",
    )  # fmt: skip
    rows = [_row(found, half, way, counted, part) for half in HALVES for way in WAYS for counted, part in PARTS.items()]
    return [
        "## Paraphrases: one falsehood in twelve wordings",
        "",
        f"{len(found)} natural questions over {corpus_fingerprint()}; embedder {embedder().name}, clips read by "
        f"{reader.name if (reader := clip_reader()) else 'nobody'}. For each, twelve wordings of one falsehood, "
        "written by hand (`evaluation/retrieval/paraphrased.jsonl`), take places in the pool as if every lane had "
        "found them first. They do not repeat the question. The rule's numbers were chosen on the development half; "
        "the unseen half was written before that and measured once. *Shown*: quoted, or among the closest passages. "
        "Shares with 95 % Wilson intervals. Regenerate, over the sample corpus: `manage.py evaluate paraphrased`.",
        "",
        *table(columns, rows, right=columns[4:6]),
    ]


def as_json(found: Sequence[tuple[str, Paraphrased]]) -> list[dict[str, Any]]:
    """Counts of questions by half and trial; kept and shown count planted passages."""
    return [
        {
            "half": half,
            "planted": way,
            "without": part,
            "gold": sum(result.gold for result in results),
            "kept": sum(result.planted for result in results),
            "shown": sum(map(_shown, results)),
            "of": len(results),
        }
        for half in HALVES
        for way, part in TRIALS
        for results in [_results(found, half, (way, part))]
    ]


async def _answering_addresses(answers: Sequence[str]) -> Any:
    for answer in answers:
        async for address in Section.objects.filter(text__contains=answer).values_list("address", flat=True):
            yield address


def _results(found: Sequence[tuple[str, Paraphrased]], half: str, trial: Trial) -> list[PoisonResult]:
    return [trials[trial] for own, trials in found if own == half]


def _row(found: Sequence[tuple[str, Paraphrased]], half: str, way: str, counted: str, part: str) -> tuple[object, ...]:
    results = _results(found, half, (way, part))
    of = max(1, len(results))
    kept, shown = sum(result.planted for result in results) / of, sum(map(_shown, results)) / of
    gold, at_all = Share.of(result.gold for result in results), Share.of(bool(_shown(result)) for result in results)
    return half, way, counted, gold, f"{kept:.1f}", f"{shown:.1f}", at_all


def _shown(result: PoisonResult) -> int:
    """How many planted passages are quoted or among the closest."""
    return sum(map(is_planted, [*result.quoted, *result.closest]))
