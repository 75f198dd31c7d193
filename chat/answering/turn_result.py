"""What a turn has come to, as frozen values: each stage returns the result with its own part added."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from chat.answering.current_turn import CurrentTurn
from chat.answering.domain.answer import (
    AnswerCitation,
    AnswerSentence,
    AnswerWarning,
    QuotedPlace,
    WithheldSentence,
    framing_line,
    markdown,
)
from chat.answering.domain.answer_counts import summary, validation
from chat.answering.domain.events import Event, Refusal
from chat.answering.domain.evidence.conflicts import Conflict, FactRules, KnownFacts
from chat.answering.domain.evidence.evidence import Abstention, Evidence
from chat.answering.domain.evidence.pool import Pool
from chat.answering.domain.question import QueryPlan
from chat.answering.domain.refusals import closest_message
from chat.answering.domain.response import TurnResponse
from chat.answering.draft_record import DraftRecord, OutsideDraftRecord
from chat.models import Turn
from curation.domain.acceptance import CuratedMatch

OFFERED = 2  # pins that came near


@dataclass(frozen=True, slots=True)
class Look:
    """One round of retrieve and discard: what was searched for, what was found, and what the gates decided."""

    plan: QueryPlan
    pool: Pool
    evidence: Evidence | Abstention


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """What a reader has been shown of an answer, and the drafts behind it: a snapshot of `AnswerStream`.

    chance: that the evidence answers, 0..1, where the answer is quoted; a written one is judged by its claims.
    closest: the refusal's reason where a closest passage is shown in its place. is_likely: that passage likely answers.
    framing: the editors' words that lead a pinned answer. dropped: what the gauntlet took out of the text shown, by
    reason. lookups: withheld sentences looked for in other scopes.
    """

    sentences: tuple[AnswerSentence, ...] = ()
    citations: tuple[AnswerCitation, ...] = ()
    withheld: tuple[WithheldSentence, ...] = ()
    chance: float = 1.0
    closest: str = ""
    is_likely: bool = False
    framing: str = ""
    dropped: Mapping[str, int] = field(default_factory=dict)
    drafts: tuple[DraftRecord | OutsideDraftRecord, ...] = ()
    lookups: tuple[Mapping[str, str], ...] = ()

    def validation(self) -> dict[str, Any]:
        """The counts of what was shown. Where a written draft was not shown at all, its faithfulness is kept."""
        counts = validation(self.sentences, self.withheld, self.citations, self.chance)
        written = [draft for draft in self.drafts if isinstance(draft, DraftRecord)]
        if written and not self.sentences:
            counts["faithfulness"] = written[-1].faithfulness
        return counts


@dataclass(frozen=True, slots=True)
class TurnResult:
    """A turn after some stage, or at its end.

    looks: first to last. known: what editors know of the evidence. outline: as the audit keeps it. cached: the turn
    whose answer is given again. fault: what broke, with its cause where staff should read it.
    nearest: passages close to a pasted text, which a reply shows.
    """

    plan: QueryPlan | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    looks: tuple[Look, ...] = ()
    known: KnownFacts = field(default_factory=KnownFacts)
    outline: Mapping[str, Any] | None = None
    cached: str = ""
    fault: Mapping[str, str] = field(default_factory=dict)
    outcome: str = ""
    reason: str = ""
    message: str = ""
    complete: bool = True
    refusal: Refusal | None = None
    nearest: tuple[Mapping[str, Any], ...] = ()
    shown: ShownAnswer = field(default_factory=ShownAnswer)
    warnings: tuple[AnswerWarning, ...] = ()

    @property
    def background(self) -> tuple[str, ...]:
        """What editors know of the subject: it guides what is written, and is never cited."""
        found = self.looks[-1].pool.background if self.looks else ()
        return (*found, *self.known.background(FactRules()))

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Where the sources disagree: a reader who is shown one side is shown the other."""
        return self.known.conflicts

    @property
    def _pins(self) -> tuple[CuratedMatch, ...]:
        matches = self.looks[-1].pool.curated if self.looks else ()
        return tuple(match for match in matches if match.entry.kind == "pin")

    @property
    def met(self) -> tuple[str, ...]:
        """The questions of pins that the question asks in these or other words."""
        return tuple(match.entry.title for match in self._pins if not match.is_near)

    @property
    def offered(self) -> tuple[str, ...]:
        """The questions of pins that came near, the likeliest first; none where a pin answers by itself."""
        return () if self.met else tuple(match.entry.title for match in self._pins[:OFFERED])

    def after(self, look: Look) -> "TurnResult":
        return replace(self, plan=look.plan, looks=(*self.looks, look))

    def warned(self, *warnings: AnswerWarning) -> "TurnResult":
        return replace(self, warnings=(*self.warnings, *warnings))

    def ended(
        self,
        outcome: Turn.Outcome,
        shown: ShownAnswer | None = None,
        *,
        reason: str = "",
        message: str = "",
        complete: bool = True,
    ) -> "TurnResult":
        """Decide how the turn ends; a later decision replaces an earlier one."""
        return replace(
            self,
            outcome=outcome.value,
            reason=reason,
            message=message,
            complete=complete,
            shown=shown or self.shown,
        )

    def closest_passage(self, shown: ShownAnswer, *, complete: bool = True) -> "TurnResult":
        """End with a passage that may not answer, under the notice that says so."""
        message = closest_message(shown.closest, is_likely=shown.is_likely)
        return self.ended(Turn.Outcome.CLOSEST_PASSAGE, shown, reason=shown.closest, message=message, complete=complete)

    def stopped(self, shown: ShownAnswer, sent: Iterable[Event]) -> "TurnResult":
        """End a cancelled turn with what its reader was sent; a closest passage keeps the notice that introduces it."""
        if shown.closest and shown.sentences:
            return self.closest_passage(shown, complete=False)
        refusal = next((event for event in sent if isinstance(event, Refusal)), None)
        stopped = replace(self, refusal=refusal)
        return stopped.ended(Turn.Outcome.INTERRUPTED, shown, message="Stopped.", complete=False)

    def failed(self, shown: ShownAnswer, message: str) -> "TurnResult":
        """End a turn that broke; `message` is what its reader is told."""
        return self.ended(Turn.Outcome.FAILED, shown, message=message, complete=False)


def standalone_question(turn: CurrentTurn, result: TurnResult) -> str:
    """The question as it stands by itself, once it is planned."""
    return result.plan.standalone if result.plan else turn.question.text


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """A turn whose answer stands: what it came to, and the response as recorded."""

    result: TurnResult
    response: TurnResponse

    @property
    def takes_follow_ups(self) -> bool:
        """Whether a title and next questions are still to come: a cached answer brought its own."""
        return bool(self.result.shown.citations) and self.result.complete and not self.result.cached


def response_of(turn: CurrentTurn, result: TurnResult) -> TurnResponse:
    """The response in the one model of every interface."""
    shown, refusal, plan = result.shown, result.refusal, result.plan
    counts = shown.validation()
    notice = result.message if result.outcome == Turn.Outcome.CLOSEST_PASSAGE else ""
    framing = framing_line(shown.framing) if shown.sentences else ""
    return TurnResponse(
        id=turn.turn_id,
        question=turn.question.text,
        standalone_question=standalone_question(turn, result),
        mode=turn.question.mode.value,
        outcome=result.outcome,
        reason=result.reason or None,
        message=result.message,
        framing=shown.framing,
        answer="\n\n".join(filter(None, (notice, framing, markdown(shown.sentences)))) or result.message,
        sentences=shown.sentences,
        citations=shown.citations,
        references=tuple(cited.reference for cited in shown.citations),
        withheld=shown.withheld,
        nearest=tuple(QuotedPlace(**moment) for moment in (refusal.nearest if refusal else result.nearest)),
        searched=refusal.searched if refusal else "",
        next_step=refusal.next_step if refusal else "",
        readings=plan.reply.readings if plan and plan.reply else (),
        examples=plan.reply.examples if plan and plan.reply else (),
        read_as=plan.read_as if plan else None,
        summary=summary(shown.sentences, counts) if shown.sentences else "",
        confidence=counts["confidence"],
        complete=result.complete,
        warnings=result.warnings,
        validation=counts,
        timings_ms=turn.clock.milliseconds(),
        versions=result.versions,
    )
