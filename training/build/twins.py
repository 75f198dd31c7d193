"""False twins: answerable questions with one word changed, so that the passage no longer answers them."""

import random
from collections.abc import Iterator
from pathlib import Path

from training.build.declarative import squad1
from training.build.reading import hotpot, squad2, squad_passage
from training.build.sources import lexicon
from training.lexicon import Lexicon
from training.perturb import change_number, oppose, swap_kin, swap_name, swap_peer
from training.rows import PassageRow, ReadingRow

_CHANGERS = (swap_name, swap_peer, oppose, change_number, swap_kin)


def twins(data: Path, seed: int) -> Iterator[ReadingRow]:
    """Each answerable question and its twin over the same passage, which differ in one word."""
    rng = random.Random(seed)
    words = lexicon(data)
    for row in [*squad2(data, seed + 1), *_squad1(data, rng), *hotpot(data, seed + 1)]:
        own = row.passages[0]
        if not own.answerable or "?" not in row.question or row.split != "train":
            continue
        twin = _twin(row.question, own.text, words, rng)
        if twin is None:
            continue
        if rng.random() < 0.35:
            yield ReadingRow("twins", row.split, row.question, [own])
        yield ReadingRow("twins", row.split, twin, [PassageRow(own.text, None, False)], "twin")


def _squad1(data: Path, rng: random.Random) -> Iterator[ReadingRow]:
    for row in squad1(data):
        answered = {"answers": [row.answer], "answer_starts": [row.start]}
        yield ReadingRow("squad1", row.split, row.question, [squad_passage(answered, row.passage, rng, whole=False)])


def _twin(question: str, passage: str, words: Lexicon, rng: random.Random) -> str | None:
    changers = list(_CHANGERS)
    rng.shuffle(changers)
    for changer in changers:
        change = changer(question, passage if rng.random() < 0.5 else "", words, rng)
        if change and change.was and change.text != question:
            return change.text
    return None


BUILDERS = {"twins": twins}
