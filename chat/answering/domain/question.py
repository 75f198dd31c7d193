"""What was asked, and the plan for finding its answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

from chat.answering.domain.viewer import Viewer
from corpus.domain.passage import Span


class Mode(StrEnum):
    INSTANT = "instant"
    AUTO = "auto"
    THINKING = "thinking"


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """A quote that was shown: its chunk, the quote's characters there, and its words."""

    chunk_id: UUID
    span: Span
    quote: str


@dataclass(frozen=True, slots=True)
class HistoryMessage:
    """One side of an earlier turn; `role` is user or assistant.

    cited: what an answer quoted that the reader may still see, the leading quote first; None where only the text is
    known, as of a thread that a client sent.
    """

    role: str
    content: str
    cited: tuple[CitedPlace, ...] | None = None


@dataclass(frozen=True, slots=True)
class ThreadPlace:
    """Where in its sources a thread stands: what the last answer that quoted anything quoted, the leading quote first.

    recalled: where no citation is known, the last answer's text, whose place is then looked for.
    """

    cited: tuple[CitedPlace, ...] = ()
    recalled: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A reader's question as typed, with the thread before it, oldest first."""

    text: str
    viewer: Viewer
    mode: Mode = Mode.AUTO
    locale: str = "en"
    history: tuple[HistoryMessage, ...] = ()


class Route(StrEnum):
    NO_RETRIEVAL = "no_retrieval"
    UNDERSPECIFIED = "underspecified"
    ADDRESS = "address"
    SINGLE_HOP = "single_hop"
    MULTI_HOP = "multi_hop"


@dataclass(frozen=True, slots=True)
class Wording:
    """One text to search with, its topic's lexemes, and its kind.

    Kinds: standalone, as_asked (a follow-up behind the last question), keywords, part, glossary, rephrased (by a
    model), refined.
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
    follow_up: what kind of follow-up it is; "" outside a thread. place: where the thread stands, for a question that
    has to do with it.
    address_keys: folded addresses named in the question. address_faults: why a named address cannot exist.
    only_addresses: the question asks for nothing besides.
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
    only_addresses: bool = False
    wanted_kinds: frozenset[str] = field(default_factory=frozenset)
    flags: tuple[str, ...] = ()
    follow_up: str = ""
    place: ThreadPlace | None = None

    @property
    def continues(self) -> bool:
        """Does the question ask for nothing but what comes next in the source?"""
        return self.follow_up == "continue"

    @property
    def searches(self) -> tuple[Wording, ...]:
        """Return what to search with now: the refined wordings on a second look, else the question's own."""
        return self.refined or self.wordings
