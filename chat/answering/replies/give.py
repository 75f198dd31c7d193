"""Gives a reply in place of an answer: completes it from the corpus, says it, and concludes the turn."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from chat.answering.current_turn import CurrentTurn
from chat.answering.domain import refusals
from chat.answering.domain.events import Notice
from chat.answering.domain.evidence.selection import DiscardRules
from chat.answering.domain.query.bad_input import PASTED_CLOSEST
from chat.answering.domain.query.reply import DirectReply, ReplyKind
from chat.answering.domain.query.small_talk import SmallTalk
from chat.answering.domain.query.vagueness import Vagueness
from chat.answering.domain.question import Question
from chat.answering.domain.viewer import Viewer
from chat.answering.payloads import opening_span, source_counts, source_item
from chat.answering.replies.readings import names_a_verse, passages_for, readings_of
from chat.answering.turn_result import TurnResult
from chat.conversations.selectors import example_questions
from chat.models import Turn
from corpus.domain.passage import Passage
from corpus.domain.text.folding import fold
from corpus.models import EmbeddingSpace
from corpus.selectors import lecture_titles
from lectorium.threads import in_thread

EXAMPLES = 3
TITLES = 3
WITH_EXAMPLES = (SmallTalk.GREETING, SmallTalk.ABILITIES, SmallTalk.OPINION, SmallTalk.MAKER)


async def give_reply(
    turn: CurrentTurn, result: TurnResult, reply: DirectReply, space: EmbeddingSpace | None
) -> TurnResult:
    """Say the reply with its buttons. It makes no claim, cites nothing and opens no knowledge gap."""
    question = turn.question
    nearest: Sequence[dict[str, Any]] = ()
    if reply.kind is ReplyKind.PASTED_TEXT:
        nearest = await in_thread(_moments, await passages_for(reply.about, question.viewer, space))
        reply = replace(reply, message=reply.message + (PASTED_CLOSEST if nearest else ""))
    elif reply.kind in (ReplyKind.ASK_BACK, ReplyKind.BAD_INPUT):
        reply = await _asked_back(reply, question, space)
    else:
        reply = await in_thread(_small_answer, reply, question.viewer)
    await turn.say(
        Notice(reply.kind.value, reply.message, reply.readings, reply.examples, tuple(nearest), reply.language)
    )
    plan = replace(result.plan, reply=reply) if result.plan else None
    outcome = Turn.Outcome.NO_RETRIEVAL if reply.is_small_talk else Turn.Outcome.ASKED_BACK
    return replace(result, plan=plan, nearest=tuple(nearest)).ended(outcome, message=reply.message)


async def _asked_back(reply: DirectReply, question: Question, space: EmbeddingSpace | None) -> DirectReply:
    searched = reply.kind is ReplyKind.ASK_BACK or reply.about
    readings = await readings_of(reply, question, space) if searched else ()
    if not reply.about and not names_a_verse(question.text):  # what is near words that name nothing is only an example
        examples = (*readings, *await in_thread(examples_for, question.viewer))[:EXAMPLES]
        return replace(reply, examples=examples)
    message = reply.message + (refusals.DID_YOU_MEAN if readings and reply.detail != Vagueness.TOPIC else "")
    examples = () if readings else await in_thread(examples_for, question.viewer)
    return replace(reply, message=message, readings=readings, examples=examples)


def _small_answer(reply: DirectReply, viewer: Viewer) -> DirectReply:
    examples = examples_for(viewer) if reply.detail in WITH_EXAMPLES or not reply.detail else ()
    message = reply.message
    if reply.detail == SmallTalk.ABILITIES:
        message = f"{message} {_contents(viewer)}".strip()
    return replace(reply, message=message, examples=examples)


def _contents(viewer: Viewer) -> str:
    """One or two sentences about the corpus, e.g. "Here you find 8 lectures and 700 verses."."""
    counts = source_counts(viewer)
    if not counts:
        return refusals.EMPTY_CORPUS
    titles = lecture_titles(None if viewer.sees_all else viewer.collections, TITLES)
    named = f" Some of the lectures: {', '.join(f'“{title}”' for title in titles)}." if titles else ""
    return f"Here you find {counts}.{named}"


def examples_for(viewer: Viewer) -> tuple[str, ...]:
    """Return three questions that are known to be answered here; none where the sample lectures are not in sight."""
    return tuple(example_questions(viewer).get("answerable", ())[:EXAMPLES])


def _moments(passages: Sequence[Passage]) -> list[dict[str, Any]]:
    """Return the openings of the nearest passages, none with the same words or address twice."""
    moments: dict[str, dict[str, Any]] = {}
    for passage in passages:
        span = opening_span(passage)
        item = {**source_item(passage, span), "quote": passage.text[slice(*span)]}
        if item["address"] not in {shown["address"] for shown in moments.values()}:
            moments.setdefault(fold(item["quote"]), item)
    return list(moments.values())[: DiscardRules().nearest]
