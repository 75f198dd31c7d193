"""What the tools return: small, typed, and with the addresses by which everything is found again."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any
from uuid import UUID

from pydantic import BaseModel, Field

from chat.answering.domain.answer import TranslatedTitle
from chat.answering.payloads import source_item
from chat.conversations.local_titles import with_translated_titles
from corpus.domain.passage import Passage

PASSAGE_CHARS = 900  # of one passage; the rest is at its address
QUOTE_CHARS = 500
MOST_PARAGRAPHS = 12
ANSWER_CHARS = 6_000


Translated = Annotated[
    TranslatedTitle | None, Field(description="The title in a language of Accept-Language; `title` is the original.")
]


class ToolPassage(BaseModel):
    """A passage of the sources. Its text is quoted word for word."""

    address: str = Field(description="As references name it.")
    paragraphs: list[str] = Field(description="The addresses of its paragraphs, to refer to one of them.")
    kind: str = Field(description="lecture, verse or library.")
    title: str
    text: str = Field(description="Ends with … where it was cut.")
    speaker: str = ""
    date: str = ""
    start: float | None = Field(None, description="Seconds into the recording.")
    end: float | None = None
    url: str = Field(description="Its page on this site.")
    language: str = ""
    translated_title: Translated = None


class ToolCitation(BaseModel):
    n: int
    address: str
    title: str
    quote: str
    verdict: str = ""
    speaker: str = ""
    date: str = ""
    start: float | None = None
    end: float | None = None
    url: str = ""
    translated_title: Translated = None


class AskResult(BaseModel):
    answered: bool = Field(description="Only then is `answer` an answer; otherwise it says why there is none.")
    outcome: str
    reason: str | None = Field(None, description="Of a refusal.")
    answer: str = Field(description="Markdown with [1] [2], which are the citations.")
    citations: list[ToolCitation]
    nearest: list[str] = Field(description="Of a refusal: addresses that are related, but no answer.")
    turn: UUID = Field(description="For open_citation.")
    conversation: UUID = Field(description="To ask on in.")


class PassageList(BaseModel):
    passages: list[ToolPassage]


class AddressResult(BaseModel):
    address: str
    passages: list[ToolPassage] = Field(description="In the source's order.")


class ListedLecture(BaseModel):
    title: str
    address: str = Field(description="Its paragraphs are at address:1, address:2 …")
    series: str = Field(description="Its series, or its collection where it has none.")
    speaker: str = ""
    date: str = ""
    language: str = ""
    has_recording: bool = False
    translated_title: Translated = None


class ListedWork(BaseModel):
    title: str
    abbreviation: str = Field(description="Before the numbers in its addresses.")
    sections: int
    language: str = ""


class LectureList(BaseModel):
    works: list[ListedWork]
    lectures: list[ListedLecture]
    page: int
    pages: int


class EntryResult(BaseModel):
    """A pinned question or a note."""

    id: UUID
    kind: str = Field(description="pin or note.")
    title: str = Field(description="The question of a pin, the title of a note.")
    state: str = Field(description="draft, in_review, published or withdrawn. Only published ones take effect.")
    references: list[str]
    wordings: list[str] = Field(description="The phrasings of a pin, the triggers of a note.")
    next_step: str
    warnings: list[str] = Field(description="Triggers that would catch too many questions.")


def tool_passages(passages: Sequence[Passage], languages: Sequence[str]) -> list[ToolPassage]:
    """The passages, with the titles of lectures in the first of these languages that they are translated into."""
    places = [source_item(passage, (0, len(passage.text))) for passage in passages]
    shown = with_translated_titles(places, languages)
    return [_tool_passage(passage, place) for passage, place in zip(passages, shown, strict=True)]


def _tool_passage(passage: Passage, place: Mapping[str, Any]) -> ToolPassage:
    paragraphs = list(passage.addresses[:MOST_PARAGRAPHS])
    return ToolPassage(**{**place, "paragraphs": paragraphs, "text": cut(passage.text, PASSAGE_CHARS)})


def cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most].rstrip()}…"
