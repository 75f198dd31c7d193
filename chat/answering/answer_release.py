"""A written answer on its way to the reader: when its checked sentences are shown, and which wait for the others."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from django.conf import settings

from chat.answering.answer_stream import AnswerStream
from chat.answering.current_turn import CurrentTurn
from chat.answering.domain.checked_draft import CheckedDraft, expected_confidence, passed
from chat.answering.domain.checking import VerifiedSentence
from chat.answering.domain.evidence.conflicts import Conflict
from chat.answering.domain.footnotes import Footnote
from chat.answering.domain.outline import Thesis
from chat.answering.domain.policy import Policies, Policy, fails, flagged
from chat.answering.domain.writing_rules import WritingRules
from chat.answering.other_scopes import find_in_other_scopes
from corpus.domain.passage import Passage

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WritingTask:
    """What a model is to write from, and under which rules.

    question: as it stands by itself. theses: the outline's, over the numbers of `notes`. evidence: all of the turn's
    passages, notes or not. whole: nothing is shown before all of it is checked. repairs: a failing draft is repaired
    even where the policy would only withhold. failed: the draft that is to be repaired.
    """

    question: str
    notes: tuple[Footnote, ...] = ()
    theses: Sequence[Thesis] = ()
    background: Sequence[str] = ()
    conflicts: Sequence[Conflict] = ()
    evidence: Sequence[Passage] = ()
    whole: bool = False
    repairs: bool = False
    policies: Policies = field(default_factory=Policies)
    rules: WritingRules = field(default_factory=WritingRules)
    failed: CheckedDraft = field(default_factory=CheckedDraft)


def policies_in_force() -> Policies:
    """The operator's policies."""
    return Policies(Policy(settings.POLICY), Policy(settings.HIGH_RISK_POLICY or settings.POLICY))


class AnswerRelease:
    """Takes the sentences of a draft as they are checked, and releases them to the reader's stream."""

    def __init__(self, turn: CurrentTurn, stream: AnswerStream, task: WritingTask) -> None:
        self.task = task
        self.checked = CheckedDraft()
        self.waiting: list[VerifiedSentence] = []  # checked, and not shown yet
        self._turn = turn
        self._stream = stream
        self._releasing = False

    @property
    def can_be_shown(self) -> bool:
        """Has anything passed that was not shown yet?"""
        return bool(passed(self.waiting))

    @property
    def confidence(self) -> float:
        return expected_confidence(self.waiting)

    @property
    def action(self) -> Policy:
        return self.checked.action(self.task.policies)

    async def add_sentence(self, sentence: VerifiedSentence) -> bool:
        """Add a checked sentence. False if the model should be stopped, since it only writes what cannot be shown."""
        self.checked = self.checked.with_sentence(sentence)
        added = self.checked.sentences[-1]
        whole = self.task.whole
        self.waiting.append(flagged(added) if not whole and self.action is Policy.WARN else added)
        if not whole and (self._stream.has_begun or self.can_be_shown):
            await self.release()
        return self.checked.withheld_in_a_row < self.task.rules.patience

    def restart(self) -> None:
        """Forget a draft of which nothing was shown: another model writes."""
        self.waiting, self.checked = [], CheckedDraft()

    def adopt(self, repaired: "AnswerRelease") -> None:
        """Take the repaired draft's sentences in place of this one's."""
        self.waiting, self.checked = repaired.waiting, repaired.checked

    def settle(self) -> bool:
        """Apply the policy to a whole answer. False: none of it may be shown."""
        failing = any(map(fails, self.waiting))
        if self.action in (Policy.WARN, Policy.REGENERATE):
            self.waiting = [flagged(sentence) for sentence in self.waiting]
        return not (failing and self.action is Policy.BLOCK)

    async def release(self, *, lookups: int | None = None) -> None:
        """Show what waits. Framing waits for a claim to introduce. An interrupted release can be continued.

        lookups: how many withheld sentences are looked for outside the scope, where it differs from the rules.
        """
        self._releasing = True
        if not self._stream.has_begun and self.can_be_shown:
            await self._stream.show_sources([(note.passage, (0, len(note.passage.text))) for note in self.task.notes])
        most = self.task.rules.elsewhere if lookups is None else lookups
        while self.waiting:
            sentence = await find_in_other_scopes(self._turn, self._stream, self.waiting[0], most)
            del self.waiting[0]
            await self._stream.show_written(sentence, self.task.conflicts)

    async def keep_what_passed(self) -> None:
        """Show what has passed of an answer that is stopped here."""
        if self._releasing or (self.can_be_shown and self._may_end_here):
            await self.release(lookups=0)

    @property
    def _may_end_here(self) -> bool:
        """Whether the sentences that passed may be shown without the rest.

        Where one sentence may block all others, that is known only of the whole answer. A draft that would be written
        anew, or is below the floor, would not have been shown as a whole either.
        """
        if not self.task.whole:
            return True
        sure = self.confidence >= self.task.rules.confidence_floor
        return sure and not self.task.policies.may_block and self.action is not Policy.REGENERATE


@asynccontextmanager
async def answer_release(turn: CurrentTurn, stream: AnswerStream, task: WritingTask) -> AsyncIterator[AnswerRelease]:
    """Begin a written answer; stopped, it keeps what has passed."""
    answer = AnswerRelease(turn, stream, task)
    try:
        yield answer
    except asyncio.CancelledError:
        try:
            await answer.keep_what_passed()
        except Exception:  # a stop stays a stop
            log.exception("turn %s: what had passed could not be shown", turn.turn_id)
        raise
