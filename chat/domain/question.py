"""What was asked, and the plan for finding its answer."""

from dataclasses import dataclass, field
from enum import StrEnum

from chat.domain.viewer import Viewer


class Mode(StrEnum):
    INSTANT = "instant"
    AUTO = "auto"
    THINKING = "thinking"


@dataclass(frozen=True, slots=True)
class Message:
    """One side of an earlier turn; `role` is user or assistant."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Question:
    """A reader's question as typed, with the thread before it, oldest first."""

    text: str
    viewer: Viewer
    mode: Mode = Mode.AUTO
    locale: str = "en"
    history: tuple[Message, ...] = ()


class Route(StrEnum):
    NO_RETRIEVAL = "no_retrieval"
    UNDERSPECIFIED = "underspecified"
    ADDRESS = "address"
    SINGLE_HOP = "single_hop"


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """How to look for an answer.

    standalone: the question with what it owes the thread spelled out.
    rephrasings: every wording to search with, the standalone question first.
    words: the lexemes that carry the question's topic, in order, without repeats.
    term: what the question asks to have defined, folded; "" where it asks something else.
    address_keys: folded addresses named in the question. address_faults: why a named address cannot exist.
    """

    route: Route
    standalone: str
    rephrasings: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    term: str = ""
    address_keys: tuple[str, ...] = ()
    address_faults: tuple[str, ...] = ()
    wanted_kinds: frozenset[str] = field(default_factory=frozenset)
    flags: tuple[str, ...] = ()
