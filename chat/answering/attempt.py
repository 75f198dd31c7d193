"""One attempt at a written answer: its sentences as they were checked, and which of them a reader is shown when."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import takewhile
from uuid import UUID

from django.conf import settings

from chat.answering.domain.answer import WithheldSentence, confidence
from chat.answering.domain.checking import Objection, VerifiedSentence
from chat.answering.domain.evidence.evidence import Evidence
from chat.answering.domain.footnotes import Footnote
from chat.answering.domain.outline import Thesis
from chat.answering.domain.policy import Policies, Policy, Risk, fails, flagged, proved_share, risk_of
from chat.answering.domain.question import Mode
from chat.answering.domain.writing_rules import WritingRules
from chat.answering.journal import Journal
from chat.answering.other_scopes import find_in_other_scopes
from chat.answering.presentation import show_sentence, show_sources
from corpus.domain.passage import Passage, Span
from corpus.domain.text.folding import fold

log = logging.getLogger(__name__)
AGAIN = Objection("repeated", "repeated")


@dataclass
class Attempt:
    """A written answer in the making. `whole`: nothing is shown before all of it is checked (thinking mode)."""

    journal: Journal
    notes: tuple[Footnote, ...]
    whole: bool
    rules: WritingRules
    policies: Policies
    pending: list[VerifiedSentence] = field(default_factory=list)
    cove: bool = False  # a failing draft is repaired even where the policy would only withhold (thinking mode)
    taken: list[VerifiedSentence] = field(default_factory=list)  # every sentence of this attempt, as it was checked
    failed: Sequence[VerifiedSentence] = ()  # the attempt before this one, which this one repairs
    theses: Sequence[Thesis] = ()  # what the outline found, over the numbers of `notes`
    evidence: Sequence[Passage] = ()  # all of the turn's, notes or not
    released: bool = False  # has showing it begun?

    @property
    def passed(self) -> list[VerifiedSentence]:
        return [sentence for sentence in self.pending if sentence.proofs and not sentence.withheld]

    @property
    def cited(self) -> bool:
        return any(sentence.drafted.markers for sentence in self.taken)

    @property
    def in_a_row(self) -> int:
        """Return how many sentences were withheld since a factual one passed."""
        factual = [sentence for sentence in self.taken if sentence.withheld or sentence.proofs]
        return len(list(takewhile(lambda one: one.withheld, reversed(factual))))

    @property
    def confidence(self) -> float:
        """Return the confidence that the sentences that passed will be shown with; what is only flagged has none."""
        verdicts: dict[tuple[UUID, Span], str] = {}
        for proof in (proof for one in self.passed for proof in one.proofs):
            verdicts.setdefault((proof.passage.chunk_id, proof.span), proof.verdict)
        held = [term.held for one in self.passed for term in one.terms]
        supports = [claim.support for one in self.passed for claim in one.claims]
        verified = list(verdicts.values()).count("supported")
        return confidence(supports, (verified, len(verdicts)), (sum(held), len(held)))

    @property
    def risk(self) -> Risk:
        return risk_of(proved_share(self.taken))

    @property
    def action(self) -> Policy:
        """Return what is done with the sentences that do not stand."""
        return self.policies.at(self.risk)

    async def take(self, one: VerifiedSentence) -> bool:
        """Take a checked sentence; False where the model only says what cannot be shown, and should be stopped."""
        one = self._once(one)
        self.taken.append(one)
        self.pending.append(flagged(one) if not self.whole and self.action is Policy.WARN else one)
        if not self.whole and (self.journal.sentences or self.passed):
            await self.release()
        return self.in_a_row < self.rules.patience

    def _once(self, one: VerifiedSentence) -> VerifiedSentence:
        """Withhold a sentence whose very words have passed before: a weak model may say one thing for ever."""
        said = {fold(before.drafted.text) for before in self.taken if before.proofs}
        if one.proofs and fold(one.drafted.text) in said:
            return replace(one, proofs=(), withheld=WithheldSentence("repeated", one.verdict), objections=(AGAIN,))
        return one

    def settle(self) -> bool:
        """Do with a whole answer as the policy says; False where none of it may be shown."""
        failing = any(map(fails, self.pending))
        if self.action in (Policy.WARN, Policy.REGENERATE):
            self.pending = [flagged(sentence) for sentence in self.pending]
        return not (failing and self.action is Policy.BLOCK)

    async def release(self, *, elsewhere: int | None = None) -> None:
        """Show what is pending; what leads over waits for something to lead to. Interrupted, it can be gone on with.

        elsewhere: how many withheld sentences are looked for outside the scope, where not as many as the rules say.
        """
        self.released = True
        if not self.journal.sentences and self.passed:
            await show_sources(self.journal, self.notes)
        most = self.rules.elsewhere if elsewhere is None else elsewhere
        while self.pending:
            one = await find_in_other_scopes(self.journal, self.pending[0], most)
            del self.pending[0]
            await show_sentence(self.journal, one)

    async def keep(self) -> None:
        """Show what has passed of an answer that is stopped here."""
        if self.released or (self.passed and self._may_end_here):
            await self.release(elsewhere=0)

    @property
    def _may_end_here(self) -> bool:
        """May what has passed be shown without the rest? Where one sentence may block all others, only the whole tells.

        A draft that would be written anew as it stands, or that is below the floor, would not have been shown whole.
        """
        if not self.whole:
            return True
        sure = self.confidence >= self.rules.confidence_floor
        return sure and not self.policies.may_block and self.action is not Policy.REGENERATE


@asynccontextmanager
async def begin_attempt(journal: Journal, mode: Mode, evidence: Evidence) -> AsyncIterator[Attempt]:
    """Begin an attempt at a written answer, under the operator's policies; stopped, it keeps what has passed."""
    policies = Policies(Policy(settings.POLICY), Policy(settings.HIGH_RISK_POLICY or settings.POLICY))
    thinking = mode is Mode.THINKING
    passages = [candidate.passage for candidate in evidence.candidates]
    whole = thinking or policies.hold
    attempt = Attempt(journal, (), whole, WritingRules(), policies, cove=thinking, evidence=passages)
    try:
        yield attempt
    except asyncio.CancelledError:
        try:
            await attempt.keep()
        except Exception:  # a stop stays a stop
            log.exception("turn %s: what had passed could not be shown", journal.turn_id)
        raise
