"""Answers questions asked from the command line or by another app: the same turn the page runs, without a socket."""

from typing import Any
from uuid import uuid4

from django.db.models import QuerySet

from chat.answering import turn_records
from chat.answering.domain.events import Event
from chat.answering.domain.query.asked_scope import BadScope, scope_of
from chat.answering.domain.query.checks import check_mode
from chat.answering.domain.question import HistoryMessage, Question
from chat.answering.domain.viewer import Viewer
from chat.answering.journal import Journal
from chat.answering.turn import run_turn
from chat.conversations import services
from chat.conversations.viewers import narrowed
from corpus.models import Collection
from lectorium.threads import in_thread


async def ask(
    text: str, *, mode: str = "auto", history: tuple[tuple[str, str], ...] = (), record: bool = False
) -> dict[str, Any]:
    """Return the whole response. See lectorium.asking.ask."""
    thread = tuple(HistoryMessage(role, content) for role, content in history)
    question = Question(text, await in_thread(operator), check_mode(mode), history=thread)
    journal = await _journal(question, record)

    async def keep(finished: Journal) -> None:
        if record:
            await in_thread(turn_records.turn_record, finished)

    await run_turn(journal, keep)
    return journal.response()


def operator(scope: str = "") -> Viewer:
    """Return a viewer who owns nothing and sees every collection; `scope` narrows (domain/query/asked_scope.py).

    Raises BadScope where it cannot be read, or names what is not there.
    """
    asked = scope_of(scope)
    every: QuerySet[Collection, Any] = Collection.objects.order_by("pk").values_list("pk", flat=True)
    chosen = every.filter(key=asked.collection) if asked.collection else every
    viewer = narrowed(Viewer(collections=tuple(chosen), sees_all=not asked.collection), asked)
    if scope and not viewer.collections:
        raise BadScope(f"There is no {asked.collection or ' or '.join(asked.works)} to search; check the key.")
    return viewer


async def _journal(question: Question, record: bool) -> Journal:
    async def discard_event(event: Event) -> None:
        """Nobody is listening: the response is returned whole."""

    if not record:
        journal = Journal(uuid4(), uuid4(), question, discard_event)
        journal.fresh = True  # what is only tried or measured must be today's work, and leaves nothing behind
        return journal
    turn, threaded = await in_thread(services.turn_start, question=question, conversation_id=None)
    kept = Question(
        question.text, question.viewer, question.mode, question.locale, question.history or threaded.history
    )
    return Journal(turn.pk, turn.conversation_id, kept, discard_event)
