"""Synthetic facts with planted pairs: equal, evolved, contradicting, and look-alikes that are distinct.

The forms were written by the author of the scan, so they measure whether it finds and acts among many facts, not
whether it understands language.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

NAMES = "Arun Bela Chand Devi Esha Gopal Hari Indra Jaya Kavi Lila Mohan Nita Om Puri Rani Soma Tara Uma Vidya".split()
PLACES = "Almora Belur Calcutta Dakshineswar Gaya Haridwar Jaipur Kashi Madras Mysore Nasik Puri Ujjain".split()
THINGS = "lamp river mountain letter garden bell horse temple boat mirror well flute drum seed thread".split()
MADE = "painted carried described praised bought sold repaired found admired lost counted drew".split()
VERDICTS = ("equivalent", "temporal_evolution", "contradiction", "distinct")
DAY = date(2020, 1, 1)


@dataclass(frozen=True, slots=True)
class SyntheticFact:
    """cluster: of a planted pair, from 0; -1 in the background."""

    subject: str
    predicate: str
    object: str
    content: str
    day: date | None = None
    cluster: int = -1


@dataclass(frozen=True, slots=True)
class PlantedPair:
    verdict: str
    facts: tuple[SyntheticFact, SyntheticFact]


def planted_pairs(number: int, chance: random.Random) -> Iterator[PlantedPair]:
    """`number` pairs, the four verdicts in turn, each about a subject of its own."""
    for cluster in range(number):
        verdict = VERDICTS[cluster % len(VERDICTS)]
        name = f"{chance.choice(NAMES)} Planted{cluster}"
        yield PlantedPair(verdict, _FORMS[verdict](name, cluster, chance))


def background(number: int, chance: random.Random) -> Iterator[SyntheticFact]:
    """Facts with which nothing is wrong: many subjects, some with many facts."""
    for at in range(number):
        subject = f"{chance.choice(NAMES)} {chance.choice(PLACES)}{at // 3}"
        verb, place = chance.choice(MADE), chance.choice(PLACES)
        object_ = f"the {chance.choice(THINGS)} and the {chance.choice(THINGS)} number {at} of {place}"
        yield _fact(subject, verb, object_)


def _fact(subject: str, predicate: str, object_: str, day: date | None = None, cluster: int = -1) -> SyntheticFact:
    return SyntheticFact(subject, predicate, object_, f"{subject} {predicate} {object_}.", day, cluster)


def _equivalent(name: str, cluster: int, chance: random.Random) -> tuple[SyntheticFact, SyntheticFact]:
    thing = f"the {chance.choice(THINGS)} song {cluster}"
    if chance.random() < 0.5:
        return _fact(name, "composed", thing, None, cluster), _fact(thing, "was composed by", name, None, cluster)
    place = chance.choice(PLACES)
    return _fact(name, "lives in", place, DAY, cluster), _fact(f"The {name}", "lives in", place, DAY, cluster)


def _evolved(name: str, cluster: int, chance: random.Random) -> tuple[SyntheticFact, SyntheticFact]:
    one, other = chance.sample(PLACES, 2)
    verb = chance.choice(("works at", "lives in"))
    later = DAY + timedelta(days=chance.randint(200, 900))
    return _fact(name, verb, one, DAY, cluster), _fact(name, verb, other, later, cluster)


def _contradicting(name: str, cluster: int, chance: random.Random) -> tuple[SyntheticFact, SyntheticFact]:
    form = chance.randrange(3)
    if form == 0:
        one, other = chance.sample(PLACES, 2)
        return _fact(name, "was born in", one, None, cluster), _fact(name, "was born in", other, None, cluster)
    if form == 1:
        few, many = chance.sample(range(2, 60), 2)
        return _fact(name, "has", f"{few} sons", DAY, cluster), _fact(name, "has", f"{many} sons", DAY, cluster)
    one, other = chance.sample(PLACES, 2)
    near = DAY + timedelta(days=3)
    return _fact(name, "works at", one, DAY, cluster), _fact(name, "works at", other, near, cluster)


def _distinct(name: str, cluster: int, chance: random.Random) -> tuple[SyntheticFact, SyntheticFact]:
    form = chance.randrange(3)
    if form == 0:
        year = chance.randint(1500, 1900)
        place = chance.choice(PLACES)
        return _fact(name, "was born in", place, None, cluster), _fact(name, "was born in", str(year), None, cluster)
    if form == 1:
        return _fact(name, "has", "four sons", None, cluster), _fact(name, "has", "two houses", None, cluster)
    return _fact(name, "manages", "the press", None, cluster), _fact(name, "manages", "the school", None, cluster)


_FORMS: dict[str, Callable[[str, int, random.Random], tuple[SyntheticFact, SyntheticFact]]] = {
    "equivalent": _equivalent,
    "temporal_evolution": _evolved,
    "contradiction": _contradicting,
    "distinct": _distinct,
}
