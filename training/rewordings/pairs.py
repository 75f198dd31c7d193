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
SAME, MISTAKEN, OTHERS, NEIGHBOURS = 6, 6, 3, 0  # pairs an epoch: of each group, and of all written questions


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


def epoch_of(
    groups: Sequence[QuestionGroup], neighbours: Sequence[tuple[str, str]], rng: random.Random
) -> list[QuestionPair]:
    """Pairs for one pass: another choice each time, of wordings as likely as of the pinned question itself."""
    chosen = [pair for group in groups for pair in _of_group(group, rng)]
    chosen += [
        QuestionPair(one, other, same=False) for one, other in rng.sample(neighbours, min(NEIGHBOURS, len(neighbours)))
    ]
    return [pair if rng.random() < 0.5 else QuestionPair(pair.other, pair.question, pair.same) for pair in chosen]


def _of_group(group: QuestionGroup, rng: random.Random) -> Iterator[QuestionPair]:
    pinned, *wordings = group.wordings
    for other in rng.sample(wordings, min(SAME, len(wordings))):
        yield QuestionPair(pinned, other, same=True)
    for count, asked in ((MISTAKEN, group.mistaken), (OTHERS, group.others)):
        for other in rng.sample(asked, min(count, len(asked))):
            yield QuestionPair(pinned, other, same=False)


def neighbours_of(rows: Sequence[tuple[str, str, str]], rng: random.Random) -> list[tuple[str, str]]:
    """Pairs of questions that a passage answers differently. rows: (passage, question, answer)."""
    asked: dict[str, list[tuple[str, str]]] = {}
    for passage, question, answer in rows:
        asked.setdefault(passage, []).append((question, answer))
    pairs = []
    for some in asked.values():
        rng.shuffle(some)
        pairs += [(one[0], two[0]) for one, two in zip(some[::2], some[1::2], strict=False) if one[1] != two[1]]
    return pairs
