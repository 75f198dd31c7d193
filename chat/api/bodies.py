"""The bodies that only the API has. The OpenAPI document is made from them and from the one response model.

Requests are checked where the socket's are (`chat/live/protocol.py`); their models only describe them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from django.conf import settings
from pydantic import BaseModel, ConfigDict, Field, RootModel

from chat.answering.domain.answer import NumberedCitation, SourcePlace
from chat.answering.domain.query.asked_scope import LONGEST
from chat.answering.domain.question import Mode
from chat.answering.domain.response import AnsweredResponse, TurnResponse
from chat.api.domain.problems import PROBLEM_JSON
from chat.api.domain.stop_sequences import MOST
from chat.live.protocol import MAX_LOCALE_CHARS


class ErrorDetail(BaseModel):
    code: str = Field(description="Stable, for programs.")
    message: str = Field(description="A sentence, for people.")


class ProblemBody(BaseModel):
    """Problem details (RFC 9457)."""

    type: str = Field(description="Where the code is explained.")
    title: str
    status: int
    detail: str = Field(description="A sentence, for people: what is wrong, and what to do.")
    code: str = Field(description="Stable, for programs.")
    where: str | None = Field(description="The field, parameter or header that is wrong.")
    error: ErrorDetail = Field(description="The same again, for clients written before there were problem details.")


class OpenAIErrorDetail(BaseModel):
    message: str
    type: str
    param: str | None
    code: str


class OpenAIErrorBody(BaseModel):
    error: OpenAIErrorDetail


def problems(*more: int) -> dict[tuple[int, str], type[BaseModel]]:
    """The errors that an address under /api/v1/ may answer with, besides those that any may."""
    return {(status, PROBLEM_JSON): ProblemBody for status in sorted({400, 401, 404, 405, 429, 500, 503, *more})}


MODELS = {f"lectorium-{mode}": mode for mode in (Mode.AUTO, Mode.INSTANT, Mode.THINKING)}
ERRORS = problems()
Locale = Annotated[str, Field(pattern=f"^[A-Za-z0-9_-]{{0,{MAX_LOCALE_CHARS}}}$")]
OPENAI_ERRORS = dict.fromkeys((400, 401, 404, 405, 415, 429, 500, 503), OpenAIErrorBody)


_LETTER = r"[^\s\x00\x1c-\x1f\x85]"  # what is no space
_TEXT = {"min_length": 1, "max_length": settings.QUESTION_MAX_CHARS}
Question = Annotated[str, Field(pattern=_LETTER, **_TEXT)]
TypedText = Annotated[str, Field(pattern=rf"^[^\x00]*{_LETTER}[^\x00]*$", **_TEXT)]
_TYPED = r"(?:(?:work|series):[^\x00-\x20,]{1,80}|kind:(?:lecture|verse|library)|language:[A-Za-z]{2,3})"
SCOPE_PATTERN = rf"^(?:(?:[A-Za-z0-9_-]{{1,80}}|{_TYPED})(?:,{_TYPED})*)?$"
Scope = Annotated[
    str,
    Field(
        max_length=LONGEST,
        pattern=SCOPE_PATTERN,
        description="A collection's key, work:KEY, kind:verse, language:de, with commas.",
    ),
]


class SpokenMessage(BaseModel):
    role: Literal["user", "assistant"]
    content: str


class AskBody(BaseModel):
    question: Question
    mode: Mode | None = Mode.AUTO
    scope: Scope | None = None
    as_typed: bool | None = Field(False, description="Do not correct the spelling of the question.")
    locale: Locale | None = Field("en", description="The language to answer in where the question does not show one.")
    conversation: UUID | None = Field(
        None, description="One of yours, to ask on in; without it a new conversation begins."
    )
    history: list[SpokenMessage] | None = Field(
        [], description="Earlier messages, oldest first; only where no conversation is named."
    )
    stream: bool | None = Field(False, description="Send the events of the turn as they happen.")


class StreamedEvent(BaseModel):
    """One of the server-sent events of a turn. Comments between them keep a quiet connection open."""

    id: str | None = Field(None, description="Its number in the turn; none of a fault of the connection.")
    event: str = Field(description="Its type: status, sources, sentence, withheld, refusal, notice, done and others.")
    data: str = Field(description="The event as JSON.")


class StreamedChunk(BaseModel):
    data: str = Field(description="A chunk of a chat completion as JSON; [DONE] in the end.")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPassage(SourcePlace):
    """A passage, its text verbatim, and where it stands."""

    text: str


class SearchResults(BaseModel):
    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    results: list[FoundPassage]


class CitationBody(RootModel[NumberedCitation]):
    """One citation of an answer."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)


class FeedbackGiven(BaseModel):
    kind: str
    citation: int = Field(description="Its number; 0 for the whole answer.")
    claim: str = Field(description="The text of the sentence that it is about.")


class StoredTurn(BaseModel):
    turn: UUID
    question: str
    outcome: str = Field(description="Empty while the turn is running.")
    response: TurnResponse | Mapping[str, Any] = Field(
        description="As `ask` gave it, without what you may no longer see; empty while the turn is running."
    )
    feedback: list[FeedbackGiven] = Field(description="What you have said about it on its page.")
    suggestions: list[str] = Field(description="Questions offered to ask next.")


class ListedConversation(BaseModel):
    id: UUID
    title: str
    created_at: datetime
    updated_at: datetime


class ConversationList(BaseModel):
    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    conversations: list[ListedConversation]
    next: str | None = Field(None, description="Address of the next page on this site; null on the last.")


class ConversationBody(ListedConversation):
    turns: list[StoredTurn]


class TextPart(BaseModel):
    type: Literal["text"]
    text: str


class CompletionMessage(BaseModel):
    role: str = Field(description="A message of any other role than user and assistant is ignored.")
    content: str | list[TextPart] | None = None


class StreamOptions(BaseModel):
    include_usage: bool | None = False


class CompletionRequest(BaseModel):
    model: str = Field(json_schema_extra={"enum": list(MODELS)})
    messages: list[CompletionMessage] = Field(
        description="The last of role user is the question.",
        json_schema_extra={"contains": {"type": "object", "properties": {"role": {"const": "user"}}}},
    )
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    stop: str | Annotated[list[str], Field(max_length=MOST)] | None = Field(
        None, description="The content ends before the first of these; the turn is answered as a whole."
    )
    n: Literal[1] | None = Field(None, description="There is one answer.")
    scope: Scope | None = Field(None, description="An extension: as for `ask`.")


class CompletionChoice(BaseModel):
    index: int = 0
    message: SpokenMessage
    finish_reason: str = "stop"


class TokenUsage(BaseModel):
    prompt_tokens: int = Field(description="Read by all models of the turn; 0 where none was asked.")
    completion_tokens: int
    total_tokens: int


class ChatCompletion(BaseModel):
    id: str
    object: str
    created: int = Field(description="Seconds since 1970.")
    model: str
    choices: list[CompletionChoice]
    usage: TokenUsage
    lectorium: AnsweredResponse = Field(description="An extension: the whole response, as `ask` gives it.")


class ServedMode(BaseModel):
    """A mode, as OpenAI's clients know a model."""

    id: str
    object: str = "model"
    created: int
    owned_by: str = "lectorium"


class ServedModes(BaseModel):
    object: str = "list"
    data: list[ServedMode]
