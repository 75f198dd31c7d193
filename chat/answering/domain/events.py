"""The events the server sends over the socket, in the order of a turn (shared/design/pipeline.md, "Events")."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

EDITORS = "editors"  # kind of the notice with the words that editors put before a pinned answer


@dataclass(frozen=True, slots=True)
class Status:
    """A stage begins. The first one of a turn also names its conversation."""

    stage: str
    detail: str
    conversation: str = ""
    type: str = "status"


@dataclass(frozen=True, slots=True)
class Sources:
    """The places an answer will quote, before its first sentence."""

    items: tuple[Mapping[str, Any], ...]
    type: str = "sources"


@dataclass(frozen=True, slots=True)
class SentenceShown:
    """A sentence that passed its checks, with its citations in full. clip, lead: as in `AnswerSentence`."""

    text: str
    kind: str
    verdict: str
    quoted: bool
    support: float
    paragraph: int
    claims: tuple[Mapping[str, Any], ...]
    citations: tuple[Mapping[str, Any], ...]
    block: str = ""
    repair: str = ""
    conflicting: bool = False
    cards: tuple[Mapping[str, str], ...] = ()
    clip: bool = False
    lead: bool = False
    proof: str = ""
    type: str = "sentence"


@dataclass(frozen=True, slots=True)
class SentenceWithheld:
    """A sentence that did not pass. text: for a reader who opens the removed sentences; no source backs it."""

    reason: str
    verdict: str
    found_in: str = ""
    text: str = ""
    type: str = "withheld"


@dataclass(frozen=True, slots=True)
class Refusal:
    """No answer: why, what was searched, what was nearest, and what the reader can do next."""

    reason: str
    message: str
    searched: str
    next_step: str
    nearest: tuple[Mapping[str, Any], ...]
    type: str = "refusal"


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence of our own that makes no claim, or the editors' words that lead a pinned answer (EDITORS).

    kind: of a reply (ReplyKind), "closest_passage", "disclaimer" or EDITORS. readings: what a vague question may mean;
    examples: questions that are answered here. Both are to be asked on a click. nearest: passages close to a pasted
    text.
    """

    kind: str
    message: str
    readings: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    nearest: tuple[Mapping[str, Any], ...] = ()
    language: str = "en"
    type: str = "notice"


@dataclass(frozen=True, slots=True)
class QuestionReadAs:
    """How the question is searched, if it was corrected or translated. kind: "correction" or "translation".

    A correction is undone by asking again with `as_typed`.
    """

    kind: str
    typed: str
    text: str
    language: str
    type: str = "read_as"


@dataclass(frozen=True, slots=True)
class Title:
    title: str
    type: str = "title"


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Questions to ask next, each of which these sources can answer."""

    items: tuple[str, ...]
    type: str = "suggestions"


@dataclass(frozen=True, slots=True)
class Done:
    """The turn is over and recorded: the end of its response. confidence: 0..1. noted: as in TurnResponse."""

    outcome: str
    summary: str
    complete: bool
    warnings: tuple[Mapping[str, Any], ...] = ()
    validation: Mapping[str, Any] = field(default_factory=dict)
    timings_ms: Mapping[str, int] = field(default_factory=dict)
    confidence: float = 0.0
    noted: bool = False
    type: str = "done"


@dataclass(frozen=True, slots=True)
class Fault:
    """Something went wrong; `code` is stable, `message` says what to do."""

    code: str
    message: str
    retryable: bool
    type: str = "error"


Event = (
    Status
    | Sources
    | SentenceShown
    | SentenceWithheld
    | Refusal
    | Notice
    | QuestionReadAs
    | Title
    | Suggestions
    | Done
    | Fault
)


def payload(event: Event) -> dict[str, Any]:
    """Return the event as JSON-ready values, its type first."""
    values = asdict(event)
    return {"type": values.pop("type"), **values}
