"""Labelled question pairs, as trials of a pin: a question is asked, and a pin has one, three or six wordings."""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lectorium.providers.protocols import Matrix

FOLDER = Path(__file__).parent
WORDINGS = (1, 3, 6)  # the pinned question and its phrasings together
NEAREST, RANDOM = 4, 2  # questions about other things that are asked of each pin
SEED = 0
HALVES = ("dev", "unseen")
ALIKE = FOLDER / "alike.jsonl"


@dataclass(frozen=True, slots=True)
class PinTrial:
    """A question asked where a pin has these wordings.

    label: same, same_topic, opposite, or other for another pin's question.
    """

    group: int
    phrasings: tuple[str, ...]
    question: str
    label: str

    @property
    def is_same(self) -> bool:
        return self.label == "same"

    @property
    def is_hard(self) -> bool:
        """Whether it was written to be mistaken for the pin."""
        return self.label in ("same_topic", "opposite")


def read_groups(half: str) -> dict[str, list[tuple[str, str]]]:
    """{pinned question: [(question, label)]} of one half, "dev" or "unseen"."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for path in sorted(FOLDER.glob("pairs_*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["half"] == half:
                groups.setdefault(row["question"], []).append((row["other"], row["label"]))
    return groups


def read_alike() -> set[tuple[str, str]]:
    """(pinned question, question written for another pin) that ask the same all the same, as people judged them."""
    rows = map(json.loads, ALIKE.read_text(encoding="utf-8").splitlines())
    return {(row["question"], row["other"]) for row in rows}


def texts_of(groups: dict[str, list[tuple[str, str]]]) -> list[str]:
    return list(dict.fromkeys([*groups, *(other for rows in groups.values() for other, _ in rows)]))


def trials_of(groups: dict[str, list[tuple[str, str]]], vectors: dict[str, NDArray[np.float32]]) -> list[PinTrial]:
    """Each group's questions for its own pin, and for each pin the nearest and some random ones of other groups.

    Those of other groups that ask the same are left out.
    """
    alike = read_alike()
    chance = random.Random(SEED)  # noqa: S311 - a reproducible choice
    asked = [(other, number) for number, rows in enumerate(groups.values()) for other, _ in rows]
    matrix = np.stack([vectors[text] for text, _ in asked])
    trials = []
    for number, (pinned, rows) in enumerate(groups.items()):
        same = [other for other, label in rows if label == "same"]
        order = np.argsort(-(matrix @ vectors[pinned]))
        others = [text for text, owner in map(asked.__getitem__, order) if owner != number]
        near = [text for text in others if (pinned, text) not in alike][:NEAREST]
        far = [text for text, owner in chance.sample(asked, RANDOM + 20) if owner != number][:RANDOM]
        for text, label in [*rows, *((text, "other") for text in (*near, *far))]:
            rest = [other for other in same if other != text]
            for wordings in WORDINGS:
                trials.append(PinTrial(number, (pinned, *chance.sample(rest, wordings - 1)), text, label))
    return trials


def cosines_of(trial: PinTrial, vectors: dict[str, NDArray[np.float32]]) -> NDArray[np.float32]:
    cosines: Matrix = np.stack([vectors[text] for text in trial.phrasings]) @ vectors[trial.question]
    return cosines


def cross_cosines(groups: dict[str, list[tuple[str, str]]], vectors: dict[str, NDArray[np.float32]]) -> Matrix:
    """Cosines of each pinned question with the questions of every other group."""
    found: list[Sequence[float]] = []
    for pinned in groups:
        others = [text for other, rows in groups.items() if other != pinned for text, _ in rows]
        found.append((np.stack([vectors[text] for text in others]) @ vectors[pinned]).tolist())
    return np.array([value for row in found for value in row], dtype=np.float32)
