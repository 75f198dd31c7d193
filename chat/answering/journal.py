"""One turn's running record: what was said to the reader, what was decided and why, and how long each stage took."""

import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any, NamedTuple
from uuid import UUID

from chat.answering.domain.answer import (
    AnswerCitation,
    AnswerSentence,
    AnswerWarning,
    WithheldSentence,
    markdown,
    summary,
    validation,
)
from chat.answering.domain.events import Done, Event, Status
from chat.answering.domain.evidence.conflicts import Conflict
from chat.answering.domain.query.reply import reply_fields
from chat.answering.domain.question import Mode, QueryPlan, Question
from chat.answering.domain.writing_rules import degraded_message
from chat.models import Turn
from lectorium.ladder.calls import Call

Emit = Callable[[Event], Awaitable[None]]
STAGES = ("route", "plan", "retrieve", "discard", "synthesize", "verify")


class SentEvent(NamedTuple):
    """An event, and how many sentences, citations and withheld sentences the turn had when it was said."""

    event: Event
    sentences: int
    citations: int
    withheld: int


async def discard_event(event: Event) -> None:
    """Take the events of a question that is only tried: nobody listens."""


class Journal:
    """Collects a turn. Stages hand their results here; interfaces and the audit read them from here, so they agree."""

    def __init__(self, turn_id: UUID, conversation_id: UUID, question: Question, emit: Emit) -> None:
        self.turn_id = turn_id
        self.conversation_id = conversation_id
        self.question = question
        self.plan: QueryPlan | None = None
        self.outcome = ""
        self.reason = ""
        self.message = ""
        self.searched = ""
        self.next_step = ""
        self.complete = True
        self.noted = False  # for editors, as a refused question is once its turn is recorded
        self.sentences: list[AnswerSentence] = []
        self.citations: list[AnswerCitation] = []
        self.withheld: list[WithheldSentence] = []
        self.warnings: list[AnswerWarning] = []
        self.dropped: Mapping[str, int] = {}  # from the text that was written: how often, by reason
        self.nearest: list[Mapping[str, Any]] = []
        self.trace: dict[str, Any] = {}
        self.calls: list[Call] = []  # of chat models, and of the builtin where no model was to be asked
        self.background: tuple[str, ...] = ()  # what editors know of the subject: it guides, and is never cited
        self.conflicts: tuple[Conflict, ...] = ()  # of the sources; who is shown one side is shown the other
        self.versions: Mapping[str, str] = {}
        self.said: list[SentEvent] = []
        self.chance = (
            1.0  # that the evidence answers, where the answer is quoted; a written one is judged by its claims
        )
        self.fresh = False  # answered anew even where the answer is kept, and not kept
        self._emit = emit
        self._timings: dict[str, float] = {}
        self.began = time.time()  # seconds since 1970
        self._started = time.perf_counter()
        self._ended: float | None = None

    @property
    def standalone(self) -> str:
        """The question as it stands by itself, once it is planned."""
        return self.plan.standalone if self.plan else self.question.text

    async def say(self, event: Event) -> None:
        """Send an event to the reader."""
        self.said.append(SentEvent(event, len(self.sentences), len(self.citations), len(self.withheld)))
        await self._emit(event)

    async def status(self, stage: str, detail: str) -> None:
        """Tell the reader which stage begins."""
        await self.say(Status(stage, detail, conversation=str(self.conversation_id)))

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Add the block's wall time to a stage."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.spent(stage, time.perf_counter() - began)

    def spent(self, stage: str, seconds: float) -> None:
        """Add seconds to a stage; of one that runs within another they count in both."""
        self._timings[stage] = self._timings.get(stage, 0.0) + seconds

    def looked(self, trace: dict[str, Any]) -> None:
        """Note what a look found and decided; those before it in this turn are kept, first to last, under "looks"."""
        earlier = [*self.trace.pop("looks", ()), self.trace] if self.trace else []
        self.trace = {**trace, "looks": earlier} if earlier else trace

    def degrade(self, mode: Mode, reason: str) -> None:
        """Warn that a mode could not answer, and why, in one word of the provider's errors or of the turn."""
        self.dropped = self.dropped if self.sentences else {}  # nothing of what it wrote is part of the answer
        self.warnings.append(
            AnswerWarning("DEGRADED", degraded_message(mode.value, reason), {"mode": mode.value, "reason": reason})
        )

    def conclude(self, outcome: Turn.Outcome, *, reason: str = "", message: str = "", complete: bool = True) -> None:
        """Decide how the turn ended; the last decision stands. The clock stops, so that every record says the same."""
        self._ended = time.perf_counter()
        self.outcome, self.reason, self.message, self.complete = outcome.value, reason, message, complete

    def timings_ms(self) -> dict[str, int]:
        """Return milliseconds by stage, and in total until the turn's end, or until now."""
        stages = {stage: round(1000 * self._timings[stage]) for stage in STAGES if stage in self._timings}
        return {**stages, "total": round(1000 * ((self._ended or time.perf_counter()) - self._started))}

    def done(self) -> Done:
        """Return the event that ends the turn."""
        counts = self.validation()
        return Done(
            outcome=self.outcome,
            summary=summary(self.sentences, counts) if self.sentences else "",
            complete=self.complete,
            warnings=tuple(asdict(warning) for warning in self.warnings),
            validation=counts,
            timings_ms=self.timings_ms(),
            confidence=counts["confidence"],
            noted=self.noted,
        )

    def validation(self) -> dict[str, Any]:
        return validation(self.sentences, self.withheld, self.citations, self.chance)

    @property
    def answer(self) -> str:
        """The Markdown of what was said; a closest passage keeps the notice that it may not be an answer."""
        notice = self.message if self.outcome == Turn.Outcome.CLOSEST_PASSAGE else ""
        return "\n\n".join(filter(None, (notice, markdown(self.sentences)))) or self.message

    def response(self) -> dict[str, Any]:
        """Return the response in the one schema of every interface (shared/design/pipeline.md, "The response")."""
        counts = self.validation()
        return {
            "id": str(self.turn_id),
            "question": self.question.text,
            "standalone_question": self.standalone,
            "mode": self.question.mode.value,
            "outcome": self.outcome,
            "reason": self.reason or None,
            "message": self.message,
            "answer": self.answer,
            "sentences": [asdict(sentence) for sentence in self.sentences],
            "citations": [cited.public() for cited in self.citations],
            "references": [cited.reference() for cited in self.citations],
            "withheld": [asdict(one) for one in self.withheld],
            "nearest": [dict(one) for one in self.nearest],
            "searched": self.searched,
            "next_step": self.next_step,
            **reply_fields(self.plan and self.plan.reply, self.plan and self.plan.read_as),
            "noted": self.noted,
            "summary": summary(self.sentences, counts) if self.sentences else "",
            "confidence": counts["confidence"],
            "complete": self.complete,
            "warnings": [asdict(warning) for warning in self.warnings],
            "validation": counts,
            "timings_ms": self.timings_ms(),
            "versions": dict(self.versions),
        }
