"""How a model writes an answer, step by step. Which mode comes next is decided in turn.py."""

import contextlib
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import replace

from chat.answering.answer_release import AnswerRelease, WritingTask, answer_release, policies_in_force
from chat.answering.answer_stream import AnswerStream
from chat.answering.current_turn import CurrentTurn
from chat.answering.domain.checking import CheckRules
from chat.answering.domain.evidence.conflicts import with_both_sides, with_other_sides
from chat.answering.domain.evidence.evidence import Abstention, Evidence, Reason
from chat.answering.domain.footnotes import Footnote, compact, mint, minted
from chat.answering.domain.outline import Outline
from chat.answering.domain.policy import Policy, proved_share
from chat.answering.domain.question import Mode
from chat.answering.domain.writing_rules import ModeFailure, WritingRules
from chat.answering.draft_record import DraftRecord
from chat.answering.quoting import finish_answer, passages_of, refuse_or_quote
from chat.answering.stages.verify import Verification
from chat.answering.stages.write import Draft, answer_slots, as_written, outline_notes, repair_slots
from chat.answering.streaming import checked_stream
from chat.answering.turn_result import TurnResult, standalone_question
from chat.answering.verifiers import library_of, splitter_for, verifier_for
from lectorium.ladder import calling
from lectorium.ladder.prompts import Slot
from lectorium.ladder.selectors import ResolvedModel, chain, prompt
from lectorium.providers.errors import PermanentError, ProviderError
from lectorium.threads import in_thread

log = logging.getLogger(__name__)


async def may_outline(turn: CurrentTurn) -> bool:
    """May an outline decide on thin evidence: is there a chat model that plans, and one that writes?"""
    if turn.question.mode is Mode.INSTANT:
        return False
    chains = [await in_thread(chain, job, turn.key) for job in ("outline", "synthesize")]
    return all(any(not model.is_builtin for model in models) for models in chains)


async def accept_evidence(turn: CurrentTurn, found: Evidence | Abstention) -> Evidence | Abstention:
    """Turn an abstention into evidence where an outline may decide, or the question names an address."""
    if isinstance(found, Abstention):
        outlined = found.thin and await may_outline(turn)
        return (found.thin if outlined else found.addressed) or found
    return found


async def authors(
    turn: CurrentTurn, spent: set[str], *, job: str = "synthesize", instead: Sequence[ResolvedModel] = ()
) -> list[ResolvedModel]:
    """The chat models that may do a job of this turn, first choice first; none where none is configured.

    spent: models that have failed for good. instead: another job's models, used where none is configured for this one.
    """
    models = await in_thread(chain, job, turn.key)
    able = [model for model in models if not model.is_builtin and model.model not in spent]
    if able or instead:
        return able or [replace(model, job=job, prompt="") for model in instead]
    if models[0].is_builtin:
        calling.note_builtin(models[0])
    return []


async def write_answer(
    turn: CurrentTurn,
    result: TurnResult,
    evidence: Evidence,
    stream: AnswerStream,
    mode: Mode,
    models: Sequence[ResolvedModel],
    spent: set[str],
) -> AsyncIterator[TurnResult]:
    """Let a model write: outline, text, checks; only what passes is shown. Raises ModeFailure where it cannot.

    Yield the result once the outline is made, and at the end.
    """
    with turn.clock.timed("synthesize"):
        await turn.status("synthesize", "choosing the notes that answer")
        question = standalone_question(turn, result)
        notes = mint(with_both_sides(passages_of(evidence)[: WritingRules().notes], result.conflicts))
        outline = await outline_notes(question, notes, turn.key)
    stands = outline.formed if evidence.is_thin else outline.used
    decided = {"decided": bool(stands)} if evidence.is_thin else {}
    yield (result := replace(result, outline=outline.as_dict(notes) | decided))
    if not stands:
        reason = Reason.THIN_EVIDENCE if evidence.is_thin else Reason.EMPTY_OUTLINE
        yield await refuse_or_quote(turn, result, evidence, reason, stream)
        return
    task = writing_task(question, mode, result, evidence, notes, outline)
    async with answer_release(turn, stream, task) as answer:
        with turn.clock.timed("synthesize"):
            await turn.status("synthesize", "writing, and checking each sentence")
            draft = await write_draft(turn, stream, answer, models, spent)
        if refused := await show_what_stands(answer, stream, abstained=draft.abstained):
            yield await refuse_or_quote(turn, result, evidence, refused, stream)
        else:
            yield await finish_answer(turn, result, stream)


async def show_what_stands(answer: AnswerRelease, stream: AnswerStream, *, abstained: bool) -> Reason | None:
    """Release what the policy lets through, or return why nothing is. Raises ModeFailure where a lower mode answers."""
    floor = answer.task.rules.confidence_floor
    if abstained and not stream.has_begun and not answer.can_be_shown:
        return Reason.MODEL_ABSTAINED
    if not answer.settle():
        return Reason.UNSUPPORTED_CLAIMS
    if answer.task.whole and answer.can_be_shown and answer.confidence < floor:
        raise ModeFailure("low_confidence")
    if not stream.has_begun and not answer.can_be_shown:
        if not answer.checked.cites:
            raise ModeFailure("babble")
        answer.waiting = [sentence for sentence in answer.waiting if sentence.withheld]
        await answer.release()
        return Reason.UNSUPPORTED_CLAIMS
    await answer.release()
    if stream.snapshot().validation()["confidence"] < floor:
        raise ModeFailure("weakly_supported")  # what is shown stays
    return None


def writing_task(
    question: str, mode: Mode, result: TurnResult, evidence: Evidence, notes: Sequence[Footnote], outline: Outline
) -> WritingTask:
    """What the outline leaves to write from, under the operator's policies."""
    policies, thinking = policies_in_force(), mode is Mode.THINKING
    return WritingTask(
        question=question,
        notes=compact(notes, with_other_sides(outline.used, notes, result.conflicts)),
        theses=outline.renumbered(),
        background=result.background,
        conflicts=result.conflicts,
        evidence=passages_of(evidence),
        whole=thinking or policies.hold,
        repairs=thinking,
        policies=policies,
    )


async def write_draft(
    turn: CurrentTurn, stream: AnswerStream, answer: AnswerRelease, models: Sequence[ResolvedModel], spent: set[str]
) -> Draft:
    """Let the first model that can write the answer; a failing draft that was not shown is repaired once.

    Of draft and repair the more faithful one stays. Raises ModeFailure.
    """
    draft = await _write_first(turn, stream, answer, models, spent)
    task = answer.task
    repairs = task.repairs or answer.action is Policy.REGENERATE
    if task.whole and repairs and not draft.abstained and answer.checked.fails:
        repaired = AnswerRelease(turn, stream, replace(task, failed=answer.checked))
        dropped = stream.dropped
        better = False
        try:
            with contextlib.suppress(ModeFailure):
                others = await authors(turn, spent, job="cove", instead=models)
                await _write_first(turn, stream, repaired, others, spent)
            more_proved = proved_share(repaired.checked.sentences) > proved_share(answer.checked.sentences)
            better = repaired.can_be_shown and more_proved
        finally:  # a stop during the repair keeps the draft
            if better:
                answer.adopt(repaired)
            else:
                stream.dropped = dropped
    return draft


async def _write_first(
    turn: CurrentTurn, stream: AnswerStream, answer: AnswerRelease, models: Sequence[ResolvedModel], spent: set[str]
) -> Draft:
    """Let the first model that can write; one that fails for good goes to `spent`. Raises ModeFailure."""
    fault = "no_model"
    for model in models:
        try:
            return await _write(turn, stream, answer, model)
        except ProviderError as error:
            log.warning("turn %s: %s failed: %s", turn.turn_id, model.model, error)
            fault = error.fault
            spent.update({model.model} if isinstance(error, PermanentError) else ())
            if stream.has_begun:
                break
        answer.restart()
    raise ModeFailure(fault)


async def _write(turn: CurrentTurn, stream: AnswerStream, answer: AnswerRelease, model: ResolvedModel) -> Draft:
    task = answer.task
    asked = await in_thread(prompt, model.job, model.prompt)
    model = replace(model, prompt=asked.version)
    draft = Draft(calling.stream(model, asked.fill(**_slots(turn, task))), minted(task.notes))
    checks = await _verification(turn, task, model)
    seconds: list[float] = []
    fault = ""
    try:
        async with aclosing(checked_stream(draft.sentences(), checks.check, seconds)) as sentences:
            async for sentence in sentences:
                if not await answer.add_sentence(sentence):
                    break
    except ProviderError as error:
        fault = error.fault
        raise
    finally:
        turn.clock.add("verify", sum(seconds))  # most of them while the next sentence was written
        record = DraftRecord(
            served=model,
            verifier=checks.verifier.name,
            whole=task.whole,
            repairs=bool(task.failed.sentences),
            notes=task.notes,
            checked=answer.checked,
            fault=fault,
            abstained=draft.abstained,
            dropped=tuple(draft.dropped),
            checks=tuple(seconds),
        )
        stream.drafts.append(record)
        stream.dropped = record.dropped_counts
    return draft


async def _verification(turn: CurrentTurn, task: WritingTask, model: ResolvedModel) -> Verification:
    return Verification(
        task.notes,
        await in_thread(verifier_for, task.question, turn.key, model.model),
        CheckRules(),
        question=task.question,
        library=await in_thread(library_of, turn.question.viewer, turn.question.locale),
        split=await in_thread(splitter_for, turn.key, model.model),
        evidence=task.evidence,
    )


def _slots(turn: CurrentTurn, task: WritingTask) -> dict[str, Slot]:
    """What the prompt of an answer, or of a repair, is filled with."""
    asked, failed = turn.question, task.failed.sentences
    if failed:
        draft = " ".join(map(as_written, failed))
        failures = {
            sentence.drafted.text: [objection.reason for objection in sentence.objections]
            for sentence in failed
            if sentence.withheld
        }
        return repair_slots(task.question, task.notes, draft, failures, asked.locale)
    return answer_slots(
        task.question, task.notes, asked.history, task.rules, task.background, task.theses, asked.locale
    )
