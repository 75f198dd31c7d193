"""What was asked, and the plan for finding its answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from chat.answering.domain.query.reply import DirectReply, ReadAs
from chat.answering.domain.viewer import Viewer


class Mode(StrEnum):
    INSTANT = "instant"
    AUTO = "auto"
    THINKING = "thinking"


@dataclass(frozen=True, slots=True)
class HistoryMessage:
    """One side of an earlier turn; `role` is user or assistant."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Question:
    """A reader's question as typed, with the thread before it, oldest first.

    as_typed: its spelling is not corrected, because the reader asked for it so.
    """

    text: str
    viewer: Viewer
    mode: Mode = Mode.AUTO
    locale: str = "en"
    history: tuple[HistoryMessage, ...] = ()
    as_typed: bool = False


class Route(StrEnum):
    NO_RETRIEVAL = "no_retrieval"
    UNDERSPECIFIED = "underspecified"
    ADDRESS = "address"
    SINGLE_HOP = "single_hop"
    MULTI_HOP = "multi_hop"


@dataclass(frozen=True, slots=True)
class Wording:
    """One text to search with, its topic's lexemes, and its kind.

    Kinds: standalone, as_asked, keywords, part, glossary, rephrased (by a model), refined.
    """

    text: str
    kind: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """How to look for an answer.

    standalone: the question with what it owes the thread spelled out.
    language: what it is asked in, the page's where that cannot be told.
    wordings: the question's own, the standalone one first. refined: those of a second look, drawn from what the first
    found; they only search, and nothing is measured against them.
    words: the lexemes that carry the question's topic, in order, without repeats.
    alternatives: for some of them, what else means the same; each is one or more lexemes that must stand together.
    term: what the question asks to have defined, folded; "" where it asks something else. person: whom it asks about
    ("Who was Arjuna?"), likewise.
    wanted_kinds: the kinds of passage the question asks for by name. flags: signals for the record, never gates.
    address_keys: folded addresses named in the question. address_faults: why a named address cannot exist.
    close_keys: where no named address exists, those of the closest that do.
    only_addresses: the question asks for nothing besides.
    reply: what is said in place of an answer; None where the question is searched. read_as: how the question is read
    where that is not as typed.
    """

    route: Route
    standalone: str
    language: str = "en"
    wordings: tuple[Wording, ...] = ()
    refined: tuple[Wording, ...] = ()
    words: tuple[str, ...] = ()
    alternatives: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    term: str = ""
    person: str = ""
    address_keys: tuple[str, ...] = ()
    address_faults: tuple[str, ...] = ()
    close_keys: tuple[str, ...] = ()
    only_addresses: bool = False
    wanted_kinds: frozenset[str] = field(default_factory=frozenset)
    flags: tuple[str, ...] = ()
    reply: DirectReply | None = None
    read_as: ReadAs | None = None

    @property
    def searches(self) -> tuple[Wording, ...]:
        """Return what to search with now: the refined wordings on a second look, else the question's own."""
        return self.refined or self.wordings
