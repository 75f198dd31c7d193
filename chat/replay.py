"""Asks a recorded turn's question again: the same turn as the page runs, over today's corpus, recording nothing."""

import asyncio
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth.models import AnonymousUser

from chat.answering.ask import operator
from chat.answering.current_turn import CurrentTurn, EventSink
from chat.answering.domain.question import HistoryMessage, Mode, Question
from chat.answering.turn import answer_turn
from chat.answering.turn_records import recorded_trace, respond_only, turn_trace
from chat.answering.verifiers import try_verifier
from chat.conversations.services import history_before
from chat.conversations.viewers import viewer_of
from chat.models import Turn
from lectorium.asking import NotReplayable, ReplayOptions
from lectorium.ladder.models import Rung
from lectorium.ladder.selectors import try_row
from lectorium.ladder.verifiers import named_verifier
from lectorium.threads import in_thread


async def replay(turn_id: UUID, options: ReplayOptions) -> dict[str, Any]:
    """See lectorium.asking.replay."""
    return await _asked_apart(await in_thread(_question_of, turn_id, options), options)


async def answer_with(text: str, history: tuple[tuple[str, str], ...], options: ReplayOptions) -> dict[str, Any]:
    """See lectorium.asking.answer_with."""
    thread = tuple(HistoryMessage(role, content) for role, content in history)
    return await _asked_apart(Question(text, await in_thread(operator), Mode(options.mode), history=thread), options)


async def _asked_apart(question: Question, options: ReplayOptions) -> dict[str, Any]:
    """Ask in a task of its own, so that the row and the verifier that are tried end with it."""
    return await asyncio.create_task(_run(question, options))


async def _run(question: Question, options: ReplayOptions) -> dict[str, Any]:
    if options.job:
        try_row(options.job, await in_thread(_rung, options))
    if options.verifier:
        try_verifier((await in_thread(named_verifier, options.verifier)).verifier)
    turn = CurrentTurn(uuid4(), uuid4(), question, EventSink(), fresh=True)
    answered = await answer_turn(turn, respond_only)
    trace = recorded_trace(turn, answered.result, turn_trace(answered.result))
    return {"response": answered.response.as_dict(), "trace": trace}


def _question_of(turn_id: UUID, options: ReplayOptions) -> Question:
    """The question in its thread. Its reader's scope is today's, cut to the collections of the options."""
    turn = Turn.objects.filter(pk=turn_id).select_related("conversation__owner").first()
    if turn is None or turn.conversation.deleted_at:
        raise NotReplayable("The turn was deleted, so there is no question to ask again.")
    conversation = turn.conversation
    if conversation.owner_id or conversation.visitor:
        reader = viewer_of(conversation.owner or AnonymousUser(), None)
    else:
        reader = operator()  # asked at the command line
    both = tuple(key for key in reader.collections if key in options.collections)
    viewer = replace(reader, collections=both, sees_all=reader.sees_all and len(both) == len(reader.collections))
    if not both:
        raise NotReplayable("No collection is open to both the reader and you any more.")
    return Question(turn.question, viewer, Mode(options.mode), turn.locale, history_before(turn, reader))


def _rung(options: ReplayOptions) -> Rung | None:
    rung = Rung.objects.filter(pk=options.row, job=options.job).first() if options.row else None
    if options.row and rung is None:
        raise NotReplayable("The row of the ladder that was to be tried is gone.")
    return rung
