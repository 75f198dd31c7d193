"""A question, and the plan for finding its answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

from chat.answering.domain.query.reply import DirectReply, ReadAs
from chat.answering.domain.viewer import Viewer
from corpus.domain.passage import Span
from corpus.domain.text.sentences import sentence_spans


class Mode(StrEnum):
    INSTANT = "instant"
    AUTO = "auto"
    THINKING = "thinking"


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """A quote that was shown: its chunk, the quote's characters there, and its words.

    lead: the sentence of it that answered, "" where that is not known.
    """

    chunk_id: UUID
    span: Span
    quote: str
    lead: str = ""


@dataclass(frozen=True, slots=True)
class HistoryMessage:
    """One message of an earlier turn. role: user or assistant.

    cited: what an answer quoted that the reader may still see, the leading quote first; None if only the text is known,
    as in a conversation that a client sent.
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

    @property
    def shown(self) -> frozenset[str]:
        """The sentences there that the reader was shown word for word."""
        texts = (quote.quote[start:end] for quote in self.cited for start, end in sentence_spans(quote.quote))
        return frozenset(text for text in texts if not self.recalled or text in self.recalled)


@dataclass(frozen=True, slots=True)
class Question:
    """A question as typed. history: the earlier messages, oldest first. as_typed: do not correct its spelling."""

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
    """A text to search with. words: the lexemes of its topic.

    kind: standalone, tale (the story it asks for), as_asked (a follow-up after the last question), keywords, part,
    glossary, rephrased (by a model) or refined.
    """

    text: str
    kind: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """How to look for an answer.

    - standalone: the question rewritten so that it needs no earlier message.
    - tale: the story that it asks to be told ("the potter" of "Tell me the story of the potter"), or "".
    - language: of the question; of the page if that is unclear.
    - wordings: of the question, the standalone one first.
    - refined: wordings of a second look, from what the first found. Used for searching only, not for measuring.
    - words: lexemes of the question's topic, in order, without repeats.
    - alternatives: synonyms of some words, each one or more lexemes that must occur together.
    - term: what the question asks to define, folded, or "". person: whom it asks about ("Who was Arjuna?"), or "".
    - address_keys: folded addresses in the question. address_faults: why an address in it cannot exist. close_keys:
      the closest addresses that do exist.
    - only_addresses: the question asks for nothing else.
    - wanted_kinds: kinds of passage that the question names. flags: signals to record, such as injection.
    - reply: said instead of an answer; None if the question is searched. read_as: the question as searched, if it was
      corrected or translated.
    - follow_up: kind of follow-up; "" outside a conversation. place: where the conversation stands in its sources, if
      the question has to do with it. repeats_last: the standalone question holds the last one too.
    - unread: the language of a question that the readers cannot read, so that closeness alone decides; else "".
    """

    route: Route
    standalone: str
    tale: str = ""
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
    follow_up: str = ""
    place: ThreadPlace | None = None
    repeats_last: bool = False
    unread: str = ""

    @property
    def sought(self) -> str:
        """The text that passages are compared with: a request to be told a story is nothing that a passage answers."""
        return self.tale or self.standalone

    @property
    def asked(self) -> str:
        """The question as it is searched and, where that was corrected or translated, as it was typed."""
        return f"{self.standalone}\n\n{self.read_as.typed}" if self.read_as else self.standalone

    @property
    def sought_at(self) -> int:
        """The place of `sought` among the wordings."""
        return next((place for place, wording in enumerate(self.wordings) if wording.text == self.sought), 0)

    @property
    def reader_language(self) -> str:
        """The language of the question as it was typed."""
        return self.read_as.language if self.read_as else self.language

    @property
    def continues(self) -> bool:
        """Whether the question only asks for what comes next in the source."""
        return self.follow_up == "continue"

    @property
    def searches(self) -> tuple[Wording, ...]:
        """The wordings to search with now: the refined ones on a second look, else the question's own."""
        return self.refined or self.wordings
