"""Whether a citation made earlier still holds: are its words still where they were, or anywhere?"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID


class Standing(StrEnum):
    """unchanged: the passage is the one that was cited. moved: the same words stand in another passage now.

    changed: its address is there, but not the words. withdrawn: neither can be found any more.
    """

    UNCHANGED = "unchanged"
    MOVED = "moved"
    CHANGED = "changed"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Reference:
    """What a citation was taken from: a chunk, the hash of its content, and the quote at [start, end) of its text."""

    n: int
    chunk_id: UUID | None
    content_hash: str
    start: int
    end: int
    quote: str
    address: str


@dataclass(frozen=True, slots=True)
class Today:
    """A passage that can be found today."""

    chunk_id: UUID
    content_hash: str
    address: str
    text: str


@dataclass(frozen=True, slots=True)
class Rechecked:
    """How a citation stands today, and for one that moved, the address of the passage that has its words."""

    n: int
    address: str
    standing: Standing
    now_at: str = ""


def recheck(reference: Reference, passages: Sequence[Today], *, address_exists: bool) -> Rechecked:
    """Decide how a citation stands. `passages`: those it may have been taken from, in order of preference.

    Word for word: a quote with another spelling or another dash is changed, and a reader should look.
    """
    for one in passages:
        same = (one.chunk_id, one.content_hash) == (reference.chunk_id, reference.content_hash)
        if same and one.text[reference.start : reference.end] == reference.quote:
            return Rechecked(reference.n, reference.address, Standing.UNCHANGED)
    holding = [one for one in passages if reference.quote and reference.quote in one.text]
    if holding:
        nearest = next((one for one in holding if one.address == reference.address), holding[0])
        return Rechecked(reference.n, reference.address, Standing.MOVED, nearest.address)
    standing = Standing.CHANGED if address_exists else Standing.WITHDRAWN
    return Rechecked(reference.n, reference.address, standing)
