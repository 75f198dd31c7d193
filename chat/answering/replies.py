"""Sentences of our own, for questions that nothing is looked up for: they claim nothing and cite nothing."""

from typing import NamedTuple

from chat.answering.current_turn import CurrentTurn
from chat.answering.domain import refusals
from chat.answering.domain.events import Notice
from chat.answering.domain.question import QueryPlan, Question, Route
from chat.answering.turn_result import TurnResult
from chat.models import Turn


class NoticeReply(NamedTuple):
    """A sentence of our own, to a question that nothing is looked up for."""

    outcome: Turn.Outcome
    notice: Notice


def reply_without_sources(question: Question, plan: QueryPlan) -> NoticeReply | None:
    """Greet, or ask back; None where the question is looked up. A new kind of reply is one more case here."""
    match plan.route:
        case Route.NO_RETRIEVAL:
            return NoticeReply(Turn.Outcome.NO_RETRIEVAL, Notice("greeting", refusals.small_talk(question.text)))
        case Route.UNDERSPECIFIED:
            return NoticeReply(Turn.Outcome.ASKED_BACK, Notice("ask_back", refusals.ASK_BACK))
    return None


async def show_notice(turn: CurrentTurn, result: TurnResult, reply: NoticeReply) -> TurnResult:
    """Answer without looking anything up: no claims, no citations."""
    await turn.say(reply.notice)
    return result.ended(reply.outcome, message=reply.notice.message)
