"""The questions with the sentences that answer them, and the pool of all sentences and passages."""

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lectorium.providers.protocols import Embedder
from training.build.reading import squad2
from training.build.sources import lecture_texts
from training.build.written import written_questions
from training.rows import Split, read_json_lines
from training.text import sentence_spans

PAIRS = 8000  # of the public question–passage pairs
PASSAGE_WORDS = 180
LEAST_WORDS = 3  # of a sentence in the pool
BLOCK = 2048  # texts embedded at once


@dataclass(frozen=True, slots=True)
class SpannedQuestion:
    """A question, the text of its passage, and the answer's characters there."""

    question: str
    passage: str
    span: tuple[int, int]
    split: Split


@dataclass(frozen=True, slots=True)
class QuestionExample:
    """A question with its passage's place in the pool, its answer's sentences, and the sentences beside these.

    beside: neighbours, which are not used as negatives since they often answer in part.
    """

    question: str
    passage: int
    answers: tuple[int, ...]
    beside: tuple[int, ...]
    split: Split


@dataclass(frozen=True, slots=True)
class SentencePool:
    """Unit vectors of sentences, shape (n, width), and of passages, (m, width), in half precision."""

    sentences: NDArray[np.float16]
    passages: NDArray[np.float16]
    examples: tuple[QuestionExample, ...]


def spanned_questions(data: Path, seed: int) -> list[SpannedQuestion]:
    """The written questions, SQuAD 2 and public pairs whose passage holds the answer; none of the split "test"."""
    rows = [
        SpannedQuestion(row.question, row.passages[0].text, row.passages[0].answer_span, row.split)
        for row in (*written_questions(data, seed), *squad2(data, seed))
        if row.split != "test" and row.passages[0].answerable and row.passages[0].answer_span
    ]
    pairs = list(public_pairs(data))
    random.Random(seed).shuffle(pairs)
    return rows + pairs[:PAIRS]


def public_pairs(data: Path) -> Iterator[SpannedQuestion]:
    """Public question–passage pairs whose passage contains the answer, all of them for training."""
    for row in read_json_lines(data / "train/retrieval_pairs/train.jsonl"):
        start = row["passage"].find(row["answers"][0]) if row.get("answers") and "?" in row["question"] else -1
        if start >= 0:
            yield SpannedQuestion(row["question"], row["passage"], (start, start + len(row["answers"][0])), "train")


def pool_of(data: Path, seed: int, embedder: Embedder) -> SentencePool:
    """All sentences and passages of the questions and of the lectures trained on, with their vectors."""
    rows = spanned_questions(data, seed)
    lectures = {entry.text for entry in lecture_texts(data) if entry.split != "test"}
    passages = sorted({row.passage for row in rows} | lectures)
    sentences: list[str] = []
    spans: dict[str, list[tuple[int, tuple[int, int]]]] = defaultdict(list)
    for passage in passages:
        for start, end in sentence_spans(passage):
            if len(passage[start:end].split()) >= LEAST_WORDS:
                spans[passage].append((len(sentences), (start, end)))
                sentences.append(passage[start:end])
    places = {passage: place for place, passage in enumerate(passages)}
    found = (_example(row, places[row.passage], spans[row.passage]) for row in rows)
    return SentencePool(
        _vectors(sentences, embedder),
        _vectors([" ".join(passage.split()[:PASSAGE_WORDS]) for passage in passages], embedder),
        tuple(example for example in found if example.answers),
    )


def _example(row: SpannedQuestion, passage: int, spans: list[tuple[int, tuple[int, int]]]) -> QuestionExample:
    answers = tuple(place for place, (start, end) in spans if start < row.span[1] and row.span[0] < end)
    beside = tuple(
        place for place, _ in spans if place not in answers and any(abs(place - answer) == 1 for answer in answers)
    )
    return QuestionExample(row.question, passage, answers, beside, row.split)


def _vectors(texts: list[str], embedder: Embedder) -> NDArray[np.float16]:
    blocks = (texts[first : first + BLOCK] for first in range(0, len(texts), BLOCK))
    return np.concatenate([embedder.embed_passages(block).astype(np.float16) for block in blocks])
