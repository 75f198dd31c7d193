"""Draws a sample of turns for review, stratified so that rare kinds of turns are looked at too."""

import hashlib
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

KeyT = TypeVar("KeyT", bound=Hashable)


@dataclass(frozen=True, slots=True, order=True)
class Stratum:
    """A kind of turn: its risk (high, medium, low, or none where no model wrote), mode, outcome and language."""

    risk: str
    mode: str
    outcome: str
    language: str


@dataclass(frozen=True, slots=True)
class SampledTurn(Generic[KeyT]):
    key: KeyT
    stratum: Stratum


def draw_sample(turns: Iterable[SampledTurn[KeyT]], size: int, seed: str) -> list[SampledTurn[KeyT]]:
    """At most `size` turns: one of every stratum while there is room, the rest in proportion to the strata's sizes.

    The same turns and seed give the same sample, whatever their order.
    """
    strata: dict[Stratum, list[SampledTurn[KeyT]]] = {}
    for turn in turns:
        strata.setdefault(turn.stratum, []).append(turn)
    shares = allocate({stratum: len(found) for stratum, found in strata.items()}, size)
    drawn = []
    for stratum, number in sorted(shares.items()):
        drawn += sorted(strata[stratum], key=lambda turn: _place(seed, turn.key))[:number]
    return drawn


def allocate(sizes: Mapping[Stratum, int], size: int) -> dict[Stratum, int]:
    """How many to draw of each stratum; by largest remainder, and never more than it has."""
    total = sum(sizes.values())
    if size >= total:
        return dict(sizes)
    if size < len(sizes):  # too few for one of each: the largest strata
        return dict.fromkeys(sorted(sizes, key=lambda stratum: (-sizes[stratum], stratum))[:size], 1)
    room = size - len(sizes)
    spare = total - len(sizes)
    quotas = {stratum: room * (number - 1) / spare for stratum, number in sizes.items()}
    shares = {stratum: 1 + int(quota) for stratum, quota in quotas.items()}
    for stratum in sorted(quotas, key=lambda stratum: (int(quotas[stratum]) - quotas[stratum], stratum)):
        if sum(shares.values()) == size:
            break
        shares[stratum] += shares[stratum] < sizes[stratum]
    return shares


def _place(seed: str, key: Hashable) -> str:
    return hashlib.sha256(f"{seed}:{key}".encode()).hexdigest()
