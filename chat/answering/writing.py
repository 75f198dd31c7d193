"""How an attempt at an answer is written, step by step. Which attempt comes next is decided in turn.py."""

import contextlib
import logging
from collections import Counter
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace

from chat.answering.attempt import Attempt
from chat.answering.domain.checking import CheckRules
from chat.answering.domain.footnotes import minted
from chat.answering.domain.policy import Policy, fails, proved_share
from chat.answering.domain.question import Mode
from chat.answering.domain.writing_rules import ModeFailure
from chat.answering.journal import Journal
from chat.answering.sentence_trace import sentence_trace
from chat.answering.stages.verify import Verification
from chat.answering.stages.write import Draft, answer_slots, as_written, repair_slots
from chat.answering.streaming import checked_stream
from chat.answering.verifiers import library_of, splitter_for, verifier_for
from lectorium.ladder import calling
from lectorium.ladder.prompts import Slot
from lectorium.ladder.selectors import ResolvedModel, chain, prompt
from lectorium.providers.errors import PermanentError, ProviderError
from lectorium.threads import in_thread

log = logging.getLogger(__name__)


async def may_outline(journal: Journal) -> bool:
    """May an outline decide on thin evidence: is there a chat model that plans, and one that writes?"""
    if journal.question.mode is Mode.INSTANT:
        return False
    chains = [await in_thread(chain, job, str(journal.turn_id)) for job in ("outline", "synthesize")]
    return all(any(not one.is_builtin for one in served) for served in chains)


async def authors(
    journal: Journal, spent: set[str], *, job: str = "synthesize", instead: Sequence[ResolvedModel] = ()
) -> list[ResolvedModel]:
    """Return the chat models that may do a job of this turn, first choice first; none where none is configured.

    instead: those of another job, who do this one where none is configured for it.
    """
    served = await in_thread(chain, job, str(journal.turn_id))
    able = [one for one in served if not one.is_builtin and one.model not in spent]
    if able or instead:
        return able or [replace(model, job=job, prompt="") for model in instead]
    if served[0].is_builtin:
        calling.note_builtin(served[0])
    return []


async def write_draft(attempt: Attempt, served: Sequence[ResolvedModel], spent: set[str]) -> Draft:
    """Let the first model that can write the answer; a failing draft that was not shown is repaired once.

    Of draft and repair the more faithful one stays. Raises ModeFailure.
    """
    draft = await _write_first(attempt, served, spent)
    repairs = attempt.cove or attempt.action is Policy.REGENERATE
    if attempt.whole and repairs and not draft.abstained and any(map(fails, attempt.taken)):
        again = replace(attempt, pending=[], taken=[], failed=tuple(attempt.taken))
        dropped = attempt.journal.dropped
        better = False
        try:
            with contextlib.suppress(ModeFailure):
                await _write_first(again, await authors(attempt.journal, spent, job="cove", instead=served), spent)
            better = bool(again.passed) and proved_share(again.taken) > proved_share(attempt.taken)
        finally:  # also where it is stopped: the draft then stays
            if better:
                attempt.pending, attempt.taken = again.pending, again.taken
            else:
                attempt.journal.dropped = dropped
    return draft


async def _write_first(attempt: Attempt, served: Sequence[ResolvedModel], spent: set[str]) -> Draft:
    """Let the first model that can write; one that fails for good goes to `spent`. Raises ModeFailure."""
    fault = "no_model"
    for model in served:
        try:
            return await _write(attempt, model)
        except ProviderError as error:
            log.warning("turn %s: %s failed: %s", attempt.journal.turn_id, model.model, error)
            fault = error.fault
            spent.update({model.model} if isinstance(error, PermanentError) else ())
            if attempt.journal.sentences:
                break
        attempt.pending.clear()
        attempt.taken.clear()
    raise ModeFailure(fault)


async def _write(attempt: Attempt, served: ResolvedModel) -> Draft:
    journal = attempt.journal
    asked = await in_thread(prompt, served.job, served.prompt)
    served = replace(served, prompt=asked.version)
    question = journal.standalone
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
                "sentences": [sentence_trace(sentence) for sentence in attempt.taken],
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
        draft = " ".join(as_written(sentence) for sentence in attempt.failed)
        failures = {
            sentence.drafted.text: [o.reason for o in sentence.objections]
            for sentence in attempt.failed
            if sentence.withheld
        }
        return repair_slots(question, attempt.notes, draft, failures, journal.question.locale)
    asked = journal.question
    return answer_slots(
        question, attempt.notes, asked.history, attempt.rules, journal.background, attempt.theses, asked.locale
    )
