"""Whether a citation made earlier still holds: are its words still where they were, or anywhere?"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID


class CitationStatus(StrEnum):
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
class CurrentPassage:
    """A passage that can be found today."""

    chunk_id: UUID
    content_hash: str
    address: str
    text: str


@dataclass(frozen=True, slots=True)
class RecheckedCitation:
    """How a citation stands today, and for one that moved, the address of the passage that has its words."""

    n: int
    address: str
    standing: CitationStatus
    now_at: str = ""


def recheck_citation(
    reference: Reference, passages: Sequence[CurrentPassage], *, address_exists: bool
) -> RecheckedCitation:
    """Decide how a citation stands. `passages`: those it may have been taken from, in order of preference.

    Word for word: a quote with another spelling or another dash is changed, and a reader should look.
    """
    for passage in passages:
        same = (passage.chunk_id, passage.content_hash) == (reference.chunk_id, reference.content_hash)
        if same and passage.text[reference.start : reference.end] == reference.quote:
            return RecheckedCitation(reference.n, reference.address, CitationStatus.UNCHANGED)
    holding = [passage for passage in passages if reference.quote and reference.quote in passage.text]
    if holding:
        nearest = next((passage for passage in holding if passage.address == reference.address), holding[0])
        return RecheckedCitation(reference.n, reference.address, CitationStatus.MOVED, nearest.address)
    standing = CitationStatus.CHANGED if address_exists else CitationStatus.WITHDRAWN
    return RecheckedCitation(reference.n, reference.address, standing)
