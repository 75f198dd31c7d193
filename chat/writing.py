"""One attempt at a written answer: what it does, step by step. Which attempt comes next is decided in turn.py."""

import contextlib
import logging
from collections import Counter
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from itertools import takewhile
from uuid import UUID

from django.conf import settings

from chat.domain.answer import Withheld, confidence
from chat.domain.checking import Checked, CheckRules, Objection
from chat.domain.evidence import Evidence
from chat.domain.footnotes import Footnote, minted
from chat.domain.outline import Thesis
from chat.domain.policy import Policies, Policy, Risk, fails, flagged, proved_share, risk_of
from chat.domain.question import Mode
from chat.domain.writing import Degraded, WritingRules
from chat.elsewhere import said_elsewhere
from chat.journal import Journal
from chat.showing import show, show_sources
from chat.stages.verify import Verification
from chat.stages.write import Draft, answer_slots, as_written, repair_slots
from chat.streaming import checked_stream
from chat.tracing import sentence_trace
from chat.verifying import library_of, splitter_for, verifier_for
from corpus.domain.folding import fold
from corpus.domain.passage import Passage, Span
from lectorium.ladder import calling
from lectorium.ladder.prompts import Slot
from lectorium.ladder.selectors import Served, chain, prompt
from lectorium.providers.errors import PermanentError, ProviderError
from lectorium.threads import in_thread

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
    pending: list[Checked] = field(default_factory=list)
    cove: bool = False  # a failing draft is repaired even where the policy would only withhold (thinking mode)
    taken: list[Checked] = field(default_factory=list)  # every sentence of this attempt, as it was checked
    failed: Sequence[Checked] = ()  # the attempt before this one, which this one repairs
    theses: Sequence[Thesis] = ()  # what the outline found, over the numbers of `notes`
    evidence: Sequence[Passage] = ()  # all of the turn's, notes or not

    @property
    def passed(self) -> list[Checked]:
        return [one for one in self.pending if one.proofs and not one.withheld]

    @property
    def cited(self) -> bool:
        return any(one.drafted.markers for one in self.taken)

    @property
    def in_a_row(self) -> int:
        """Return how many sentences were withheld since a factual one passed."""
        factual = [one for one in self.taken if one.withheld or one.proofs]
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

    async def take(self, one: Checked) -> bool:
        """Take a checked sentence; False where the model only says what cannot be shown, and should be stopped."""
        one = self._once(one)
        self.taken.append(one)
        self.pending.append(flagged(one) if not self.whole and self.action is Policy.WARN else one)
        if not self.whole and (self.journal.sentences or self.passed):
            await self.release()
        return self.in_a_row < self.rules.patience

    def _once(self, one: Checked) -> Checked:
        """Withhold a sentence whose very words have passed before: a weak model may say one thing for ever."""
        said = {fold(before.drafted.text) for before in self.taken if before.proofs}
        if one.proofs and fold(one.drafted.text) in said:
            return replace(one, proofs=(), withheld=Withheld("repeated", one.verdict), objections=(AGAIN,))
        return one

    def settle(self) -> bool:
        """Do with a whole answer as the policy says; False where none of it may be shown."""
        failing = any(map(fails, self.pending))
        if self.action in (Policy.WARN, Policy.REGENERATE):
            self.pending = [flagged(one) for one in self.pending]
        return not (failing and self.action is Policy.BLOCK)

    async def release(self) -> None:
        """Show what is pending; what leads over waits for something to lead to."""
        if not self.journal.sentences and self.passed:
            await show_sources(self.journal, self.notes)
        for one in self.pending:
            await show(self.journal, await said_elsewhere(self.journal, one, self.rules.elsewhere))
        self.pending = []


def begin(journal: Journal, mode: Mode, evidence: Evidence) -> Attempt:
    """Return an attempt at a written answer, under the operator's policies."""
    policies = Policies(Policy(settings.POLICY), Policy(settings.HIGH_RISK_POLICY or settings.POLICY))
    thinking = mode is Mode.THINKING
    passages = [one.passage for one in evidence.candidates]
    whole = thinking or policies.hold
    return Attempt(journal, (), whole, WritingRules(), policies, cove=thinking, evidence=passages)


async def may_outline(journal: Journal) -> bool:
    """May an outline decide on thin evidence: is there a chat model that plans, and one that writes?"""
    if journal.question.mode is Mode.INSTANT:
        return False
    chains = [await in_thread(chain, job, str(journal.turn_id)) for job in ("outline", "synthesize")]
    return all(any(not one.is_builtin for one in served) for served in chains)


async def authors(
    journal: Journal, spent: set[str], *, job: str = "synthesize", instead: Sequence[Served] = ()
) -> list[Served]:
    """Return the chat models that may do a job of this turn, first choice first; none where none is configured.

    instead: those of another job, who do this one where none is configured for it.
    """
    served = await in_thread(chain, job, str(journal.turn_id))
    able = [one for one in served if not one.is_builtin and one.model not in spent]
    if able or instead:
        return able or [replace(one, job=job, prompt="") for one in instead]
    if served[0].is_builtin:
        calling.note_builtin(served[0])
    return []


async def write(attempt: Attempt, served: Sequence[Served], spent: set[str]) -> Draft:
    """Let the first model that can write the answer; a failing draft that was not shown is repaired once.

    Of draft and repair the more faithful one stays. Raises Degraded.
    """
    draft = await _write_first(attempt, served, spent)
    repairs = attempt.cove or attempt.action is Policy.REGENERATE
    if attempt.whole and repairs and not draft.abstained and any(map(fails, attempt.taken)):
        again = replace(attempt, pending=[], taken=[], failed=tuple(attempt.taken))
        dropped = attempt.journal.dropped
        with contextlib.suppress(Degraded):
            await _write_first(again, await authors(attempt.journal, spent, job="cove", instead=served), spent)
        if again.passed and proved_share(again.taken) > proved_share(attempt.taken):
            attempt.pending, attempt.taken = again.pending, again.taken
        else:
            attempt.journal.dropped = dropped
    return draft


async def _write_first(attempt: Attempt, served: Sequence[Served], spent: set[str]) -> Draft:
    """Let the first model that can write; one that fails for good goes to `spent`. Raises Degraded."""
    fault = "no_model"
    for one in served:
        try:
            return await _write(attempt, one)
        except ProviderError as error:
            log.warning("turn %s: %s failed: %s", attempt.journal.turn_id, one.model, error)
            fault = error.fault
            spent.update({one.model} if isinstance(error, PermanentError) else ())
            if attempt.journal.sentences:
                break
        attempt.pending.clear()
        attempt.taken.clear()
    raise Degraded(fault)


async def _write(attempt: Attempt, served: Served) -> Draft:
    journal = attempt.journal
    asked = await in_thread(prompt, served.job, served.prompt)
    served = replace(served, prompt=asked.version)
    question = journal.plan.standalone if journal.plan else journal.question.text
    messages = asked.fill(**_slots(attempt, question))
    draft = Draft(calling.stream(served, messages), minted(attempt.notes))
    kept = await in_thread(library_of, journal.question.viewer, journal.question.locale)
    judge = await in_thread(verifier_for, question, str(journal.turn_id), served.model)
    split = await in_thread(splitter_for, str(journal.turn_id), served.model)
    checks = Verification(
        attempt.notes, judge, CheckRules(), question=question, library=kept, split=split, evidence=attempt.evidence
    )
    seconds: list[float] = []
    fault = ""
    try:
        async with aclosing(checked_stream(draft.sentences(), checks.check, seconds)) as stream:
            async for one in stream:
                if not await attempt.take(one):
                    break
    except ProviderError as error:
        fault = error.fault
        raise
    finally:
        journal.spent("verify", sum(seconds))  # most of them while the next sentence was written
        journal.dropped = Counter(dropped.reason.value for dropped in draft.dropped)
        journal.trace.setdefault("writing", []).append(
            {
                "served": served.as_dict(),
                "verifier": judge.name,
                "whole": attempt.whole,
                "repairs": bool(attempt.failed),
                "risk": attempt.risk.value,
                "notes": [note.as_dict() for note in attempt.notes],
                "sentences": [sentence_trace(one) for one in attempt.taken],
                "fault": fault,
                "abstained": draft.abstained,
                "dropped": [{"reason": one.reason.value, "text": one.text} for one in draft.dropped],
                "checks_ms": [round(1000 * one, 1) for one in seconds],
            }
        )
    return draft


def _slots(attempt: Attempt, question: str) -> dict[str, Slot]:
    """Return what the prompt of an answer, or of a repair, is filled with."""
    journal = attempt.journal
    if attempt.failed:
        draft = " ".join(as_written(one) for one in attempt.failed)
        failures = {one.drafted.text: [o.reason for o in one.objections] for one in attempt.failed if one.withheld}
        return repair_slots(question, attempt.notes, draft, failures, journal.question.locale)
    asked = journal.question
    return answer_slots(
        question, attempt.notes, asked.history, attempt.rules, journal.background, attempt.theses, asked.locale
    )
