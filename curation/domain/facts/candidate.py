"""A fact as it was read from a source, before it is checked or stored."""

from dataclasses import dataclass
from datetime import date
from typing import Literal

FactKind = Literal["fact", "event", "opinion"]
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class FactCandidate:
    """evidence: characters of the source text. holder: whose opinion it is. confidence: of the extraction, 0..1."""

    subject: str
    predicate: str
    object: str
    content: str
    evidence: Span
    kind: FactKind = "fact"
    holder: str = ""
    valid_from: date | None = None
    confidence: float = 0.7


@dataclass(frozen=True, slots=True)
class SourceFacts:
    """What the extractor knows of a source beside its text. speaker: may be "". day: when it was spoken. today: of the
    run; a fact does not begin later.
    """

    speaker: str = ""
    day: date | None = None
    today: date = date.max
