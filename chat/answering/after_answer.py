"""What follows once a turn has ended: a title, questions to ask, and its place in the cache. No reader waits for it."""

import asyncio
import contextlib
from dataclasses import replace
from uuid import uuid4

from chat.answering.answer_cache import store_answer
from chat.answering.current_turn import CurrentTurn, EventSink
from chat.answering.domain.events import Suggestions
from chat.answering.domain.evidence.evidence import Evidence
from chat.answering.domain.question import Mode, Route
from chat.answering.domain.response import TurnResponse
from chat.answering.follow_ups import IsBusy, add_follow_ups
from chat.answering.stages.plan import plan_question
from chat.answering.turn import Record, answer_turn, find_evidence
from chat.answering.turn_records import record_later_calls
from chat.answering.turn_result import RecordedAnswer
from corpus.selectors import serving_space
from lectorium.threads import in_thread


async def run_turn(turn: CurrentTurn, record: Record) -> TurnResponse:
    """Answer a question and add what follows; for callers that have nobody waiting."""
    answered = await answer_turn(turn, record)
    await add_after_answer(turn, answered)
    return answered.response


async def add_after_answer(turn: CurrentTurn, answered: RecordedAnswer, is_busy: IsBusy = lambda: False) -> None:
    """Send the questions of pins that came near, or a title and next questions, then cache the answer with them.

    Cancelling ends only the questions. A turn that was cancelled too late to end it gets none.
    """
    offered, met, citations = answered.result.offered, answered.result.met, answered.result.shown.citations
    if answered.takes_follow_ups and not _is_cancelled():
        calls = len(turn.calls)
        with contextlib.suppress(asyncio.CancelledError):
            await add_follow_ups(turn, citations, lambda text: is_answerable(turn, text), is_busy, offered, met)
        if len(turn.calls) > calls:
            await in_thread(record_later_calls, turn)
    elif offered and answered.result.complete:
        await turn.say(Suggestions(offered))
    await store_answer(turn, answered.result, answered.response)


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def is_answerable(turn: CurrentTurn, text: str) -> bool:
    """Would the corpus answer this question of the same reader?"""
    question = replace(turn.question, text=text, mode=Mode.INSTANT, history=())
    probe = CurrentTurn(uuid4(), turn.conversation_id, question, EventSink())
    plan, space = await in_thread(plan_question, question), await in_thread(serving_space)
    if plan.route is Route.UNDERSPECIFIED:
        return False
    return any([isinstance(look.evidence, Evidence) async for look in find_evidence(probe, plan, space)])
