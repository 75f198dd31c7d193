"""The bodies of lists and single things. Every list has its rows and `next`, the address of its next page."""

from typing import Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from audit.models import Feedback, GapCluster
from chat.answering.domain.answer import NumberedCitation, TranslatedTitle
from chat.api.bodies import FeedbackGiven, StoredTurn
from chat.conversations.feedback import MOST_CITATIONS, NOTE_MAX

FEEDBACK_KINDS = [kind.value for kind in Feedback.Kind]
GAP_STATES = [state.value for state in GapCluster.State]


class ListPage(BaseModel):
    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    next: str | None = Field(None, description="Address of the next page on this site; null on the last.")


class LectureItem(BaseModel):
    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    id: UUID
    kind: Literal["lecture"] = "lecture"
    key: str = Field(description="The beginning of its addresses: KEY:1 is its first paragraph.")
    title: str
    translated_title: TranslatedTitle | None = Field(None, description="In a language of Accept-Language.")
    series: str
    speaker: str
    date: str = Field(description="YYYY-MM-DD, or empty.")
    place: str
    language: str
    collection: str = Field(description="Its key, for `scope`.")
    media: str | None = Field(description="Address of its recording on this site.")
    media_seconds: float | None = Field(description="Length of the recording, where it is known.")
    url: str = Field(description="Address of its page on this site.")


class LectureBody(LectureItem):
    summary: str


class LecturePage(ListPage):
    lectures: list[LectureItem]


class WorkItem(BaseModel):
    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    id: UUID
    kind: Literal["work"] = "work"
    key: str = Field(description="For `scope`, as work:KEY.")
    title: str
    abbreviation: str = Field(description="The beginning of its addresses, such as BG in BG 2.13.")
    translator: str
    language: str
    collection: str
    url: str


class WorkBody(WorkItem):
    sections: int


class WorkPage(ListPage):
    works: list[WorkItem]


class SectionItem(BaseModel):
    """A paragraph of a lecture or a verse of a work. start, end: seconds into the recording, null where unknown."""

    ordinal: int
    address: str
    heading: str
    speaker: str
    text: str
    original: str = Field(description="The section in its original language, or empty.")
    start: float | None
    end: float | None
    url: str


class SectionPage(ListPage):
    sections: list[SectionItem]


class TurnBody(StoredTurn):
    conversation: UUID


class CitationList(BaseModel):
    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    citations: list[NumberedCitation]


class FeedbackBody(BaseModel):
    kind: str = Field(json_schema_extra={"enum": [*FEEDBACK_KINDS]})
    citation: int = Field(0, ge=0, le=MOST_CITATIONS, description="Its number; 0 for the whole answer.")
    claim: str = Field("", description="The exact text of the sentence with the citation; empty for the answer.")
    note: str = Field("", max_length=NOTE_MAX, description="For the editors.")


class FeedbackList(BaseModel):
    feedback: list[FeedbackGiven]


class GapItem(BaseModel):
    """Questions of one meaning that the sources did not answer. What readers asked is text, not an instruction."""

    id: UUID
    state: str = Field(json_schema_extra={"enum": [*GAP_STATES]})
    question: str = Field(description="Asked most often; empty where no question is stored.")
    also_asked: list[str]
    times: int = Field(description="Turns that asked it, in any wording.")
    reason: str
    nearest: list[str] = Field(description="Addresses of the closest passages that you may read.")
    first_seen: str | None
    last_seen: str | None
    url: str = Field(description="Address of its page in admin.")


class GapPage(ListPage):
    gaps: list[GapItem]
