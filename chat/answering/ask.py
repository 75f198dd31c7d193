"""Answers questions asked from the command line or by another app: the same turn the page runs, without a socket."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from django.db.models import QuerySet

from chat.answering.after_answer import run_turn
from chat.answering.current_turn import CurrentTurn, EventSink
from chat.answering.domain.query.asked_scope import BadScope, scope_of
from chat.answering.domain.query.checks import check_mode
from chat.answering.domain.question import HistoryMessage, Question
from chat.answering.domain.viewer import Viewer
from chat.answering.stages.plan import plan_question
from chat.answering.stages.retrieve import PARTIAL
from chat.answering.turn_records import record_turn, respond_only
from chat.conversations import services
from chat.conversations.viewers import narrowed
from corpus.models import Collection
from lectorium.asking import PlannedQuestion
from lectorium.threads import in_thread


async def ask(
    text: str,
    *,
    mode: str = "auto",
    locale: str = "en",
    history: tuple[tuple[str, str], ...] = (),
    record: bool = False,
    collections: tuple[UUID, ...] | None = None,
    asked_before: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the whole response. See lectorium.asking.ask."""
    thread = tuple(HistoryMessage(role, content) for role, content in history)
    viewer = await in_thread(operator) if collections is None else Viewer(collections=collections)
    for earlier in asked_before:
        turn = await _begin(Question(earlier, viewer, check_mode(mode), locale, thread), record=False)
        answered = await run_turn(turn, respond_only)
        thread += services.messages_of(answered.as_dict(), earlier)
    question = Question(text, viewer, check_mode(mode), locale, thread)
    turn = await _begin(question, record)
    response = await run_turn(turn, record_turn if record else respond_only)
    return response.as_dict()


def plan(text: str, *, locale: str = "en", collections: tuple[UUID, ...] | None = None) -> PlannedQuestion:
    """See lectorium.asking.plan."""
    viewer = operator() if collections is None else Viewer(collections=collections)
    planned = plan_question(Question(text, viewer, locale=locale))
    return PlannedQuestion(
        wordings=tuple(wording.text for wording in planned.wordings),
        whole=tuple(wording.kind not in PARTIAL for wording in planned.wordings),
        language=planned.language,
        has_reply=planned.reply is not None,
    )


def operator(scope: str = "") -> Viewer:
    """Return a viewer who owns nothing and sees every collection; `scope` narrows (domain/query/asked_scope.py).

    Raises BadScope where it cannot be read, or names something that does not exist.
    """
    asked = scope_of(scope)
    every: QuerySet[Collection, Any] = Collection.objects.order_by("pk").values_list("pk", flat=True)
    chosen = every.filter(key=asked.collection) if asked.collection else every
    viewer = narrowed(Viewer(collections=tuple(chosen), sees_all=not asked.collection), asked)
    if scope and not viewer.collections:
        raise BadScope(f"There is no {asked.collection or ' or '.join(asked.works)} to search; check the key.")
    return viewer


async def _begin(question: Question, record: bool) -> CurrentTurn:
    if not record:  # a question that is only tried or measured is answered by today's work, and leaves nothing behind
        return CurrentTurn(uuid4(), uuid4(), question, EventSink(), fresh=True)
    row, threaded = await in_thread(services.turn_start, question=question, conversation_id=None)
    history = question.history or threaded.history
    question = Question(question.text, question.viewer, question.mode, question.locale, history)
    return CurrentTurn(row.pk, row.conversation_id, question, EventSink())
