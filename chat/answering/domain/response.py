"""The response: the one shape in which a turn's answer is sent, stored, cached, saved and documented.

The API's document is generated from it. It is the one domain module that needs pydantic.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from chat.answering.domain.answer import (
    AnswerSentence,
    AnswerWarning,
    CitationReference,
    NumberedCitation,
    QuotedPlace,
    WithheldSentence,
)
from chat.answering.domain.events import Done
from chat.answering.domain.query.reply import ReadAs
from chat.answering.domain.question import Mode

OUTCOMES = (  # equal to Turn.Outcome; "" while a turn is running
    "grounded",
    "partially_grounded",
    "out_of_corpus",
    "closest_passage",
    "refused",
    "no_retrieval",
    "asked_back",
    "interrupted",
    "failed",
)
Share = Annotated[float, Field(ge=0, le=1)]


class TurnResponse(BaseModel):
    """A question and its cited answer, or its refusal.

    Every field but the first two has a default, so that rows stored by earlier versions can still be read.
    """

    model_config = ConfigDict(frozen=True, json_schema_serialization_defaults_required=True)

    id: UUID = Field(description="Of the turn.")
    question: str
    standalone_question: str = Field("", description="The question with what it owes the conversation spelled out.")
    mode: str = Field("auto", json_schema_extra={"enum": [mode.value for mode in Mode]})
    outcome: str = Field(
        "",
        description="closest_passage: `sentences` quote what is nearest, which may not answer; `message` says so.",
        json_schema_extra={"enum": list(OUTCOMES)},
    )
    reason: str | None = Field(None, description="Of a refusal and of a closest passage.")
    message: str = Field("", description="Text of our own where nothing is answered.")
    framing: str = Field("", description="Words of the editors that lead a pinned answer. No source says them.")
    answer: str = Field(
        "",
        description="Markdown with [1] [2], or the message. A closest passage follows its message.",
    )
    sentences: tuple[AnswerSentence, ...] = Field(
        (),
        description="verdict: supported; inferred, which follows and is not said; partial; under the policy warn also "
        "unsupported and contradicted; framing, which claims nothing; unchecked, from general knowledge.",
    )
    citations: tuple[NumberedCitation, ...] = ()
    references: tuple[CitationReference, ...] = Field((), description="What each citation can be checked again by.")
    withheld: tuple[WithheldSentence, ...] = Field((), description="Sentences that the checks left out.")
    nearest: tuple[QuotedPlace, ...] = Field((), description="Of a refusal: related, not an answer.")
    searched: str = Field("", description="Of a refusal: what was searched.")
    next_step: str = Field("", description="Of a refusal: what the reader can do next.")
    readings: tuple[str, ...] = Field(
        (), description="Of outcome asked_back: what the question may mean, as questions to ask."
    )
    examples: tuple[str, ...] = Field((), description="Questions that are answered here.")
    read_as: ReadAs | None = Field(None, description="The question as searched, where it was corrected or translated.")
    noted: bool = Field(default=False, description="Editors have the question, which was not answered.")
    summary: str = ""
    confidence: Share = Field(
        0.0,
        description="Of a quoted answer the gate's chance that it answers; of a written one its weakest support.",
    )
    complete: bool = False
    warnings: tuple[AnswerWarning, ...] = ()
    validation: Mapping[str, int | float] = Field(default_factory=dict, description="Counts of what was checked.")
    timings_ms: Mapping[str, int] = Field(default_factory=dict, description="Milliseconds by stage, and in total.")
    versions: Mapping[str, str] = Field(default_factory=dict, description="Of everything that the answer depends on.")

    def as_dict(self) -> dict[str, Any]:
        """The response as JSON-ready values."""
        return self.model_dump(mode="json")

    @property
    def done(self) -> Done:
        """The event that ends the turn."""
        return Done(
            outcome=self.outcome,
            summary=self.summary,
            complete=self.complete,
            warnings=tuple(asdict(warning) for warning in self.warnings),
            validation=self.validation,
            timings_ms=self.timings_ms,
            confidence=self.confidence,
            noted=self.noted,
        )


class AnsweredResponse(TurnResponse):
    """The response, and the conversation to ask on in."""

    conversation: UUID = Field(description="To ask on in.")
