"""Groups of questions written by hand: wordings that ask the same, and questions that may be mistaken for them."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lectorium.providers.protocols import Embedder
from training.rows import Split, read_json_lines, split_of

HERE = Path(__file__).parent.parent / "written"
EXCLUDED = -2.0  # below any cosine
NEAREST = 12  # questions of other groups that a wording may be taken for
SAME, MISTAKEN, OTHERS = 6, 6, 3  # pairs an epoch, of each group


@dataclass(frozen=True, slots=True)
class QuestionPair:
    """Two questions, and whether the same answer serves both."""

    question: str
    other: str
    same: bool


@dataclass(frozen=True, slots=True)
class QuestionGroup:
    """Wordings of one question; others that differ from it in one thing; and the likest wordings of other groups."""

    wordings: tuple[str, ...]
    mistaken: tuple[str, ...]
    others: tuple[str, ...]
    split: Split


def question_groups(embedder: Embedder, files: Sequence[Path] = ()) -> list[QuestionGroup]:
    """The groups of all files, by default those of training/written."""
    rows = [row for path in files or sorted(HERE.glob("rewordings_*.jsonl")) for row in read_json_lines(path)]
    pinned = list(dict.fromkeys(row["question"] for row in rows))
    splits = [split_of(question, calibrate=0.12) for question in pinned]
    same = {question: [question] for question in pinned}
    mistaken: dict[str, list[str]] = {question: [] for question in pinned}
    for row in rows:
        (same if row["label"] == "same" else mistaken)[row["question"]].append(row["other"])
    texts = [(text, place) for place, question in enumerate(pinned) for text in same[question]]
    vectors = embedder.embed_questions([text for text, _ in texts])
    owners = np.array([place for _, place in texts])
    kinds = np.array([splits[place] == "train" for _, place in texts])
    found = []
    for place, question in enumerate(pinned):
        likeness = (vectors @ vectors[owners == place].T).max(axis=1)
        likeness[(owners == place) | (kinds != (splits[place] == "train"))] = EXCLUDED
        others = tuple(texts[near][0] for near in np.argsort(-likeness)[:NEAREST] if likeness[near] > EXCLUDED)
        found.append(QuestionGroup(tuple(same[question]), tuple(mistaken[question]), others, splits[place]))
    return found


def epoch_of(groups: Sequence[QuestionGroup], rng: random.Random) -> list[QuestionPair]:
    """Pairs for one pass, of the pinned question with others: another choice each time, in either order."""
    chosen = [pair for group in groups for pair in _of_group(group, rng)]
    return [pair if rng.random() < 0.5 else QuestionPair(pair.other, pair.question, pair.same) for pair in chosen]


def _of_group(group: QuestionGroup, rng: random.Random) -> Iterator[QuestionPair]:
    pinned, *wordings = group.wordings
    for other in rng.sample(wordings, min(SAME, len(wordings))):
        yield QuestionPair(pinned, other, same=True)
    for count, asked in ((MISTAKEN, group.mistaken), (OTHERS, group.others)):
        for other in rng.sample(asked, min(count, len(asked))):
            yield QuestionPair(pinned, other, same=False)
