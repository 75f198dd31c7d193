"""After an answer: a title, and next questions that the corpus can answer, from the ladder's models or without them.

Neither can harm a turn. Without a model a conversation is named by the words of its first question, and the questions
are about passages beside the citations.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence

from chat.answering.current_turn import CurrentTurn
from chat.answering.domain.answer import AnswerCitation
from chat.answering.domain.events import Suggestions, Title
from chat.answering.domain.follow_ups import (
    QUESTIONS,
    SCHEMA,
    NearbyPassage,
    clean_title,
    likely_questions,
    read_questions,
)
from chat.answering.domain.words import words_in
from chat.answering.stages.write import language_slot
from chat.conversations import services
from corpus.indexing.terms import term_statistics
from corpus.language import lexeme, lexemes
from corpus.selectors import passages_near
from lectorium.ladder import calling
from lectorium.ladder.prompts import FencedText, Slot
from lectorium.threads import in_thread

log = logging.getLogger(__name__)

WAIT = 10.0  # seconds a finished answer waits for both
_looking = asyncio.Lock()  # checking whether a question is answerable costs as much as an answer: one turn at a time


IsAnswerable = Callable[[str], Awaitable[bool]]


async def add_follow_ups(turn: CurrentTurn, citations: Sequence[AnswerCitation], is_answerable: IsAnswerable) -> None:
    """Send a title for a new conversation and up to three questions, each of which `is_answerable`."""
    try:
        async with asyncio.timeout(WAIT):
            if not turn.question.history:
                await _name(turn)
            await _suggest(turn, citations, is_answerable)
    except Exception:
        log.exception("turn %s: nothing could be added to its answer", turn.turn_id)


async def _name(turn: CurrentTurn) -> None:
    question = (FencedText("Question", turn.question.text),)
    written = await calling.write("title", turn.key, {"question": question})
    if written and (title := clean_title(written.text)):
        await in_thread(services.conversation_rename, conversation_id=turn.conversation_id, title=title)
        await turn.say(Title(title))


def suggest_slots(question: str, quotes: Iterable[str], locale: str) -> dict[str, Slot]:
    """What the prompt for next questions is filled with."""
    return {
        "count": str(QUESTIONS),
        "language": language_slot(locale),
        "passages": tuple(FencedText("Passage", quote) for quote in quotes),
        "question": (FencedText("Question", question),),
    }


def questions_near(turn: CurrentTurn, citations: Sequence[AnswerCitation]) -> tuple[str, ...]:
    """Questions about passages beside the citations; none for a turn that is only measured, or not in English."""
    if turn.fresh or not turn.question.locale.startswith("en"):
        return ()
    near = passages_near([cited.chunk_id for cited in citations], QUESTIONS)
    nearby = [
        NearbyPassage(passage.title, words_in(passage.text, lexeme), passage.address if passage.kind == "verse" else "")
        for passage in near
        if passage.language.startswith("en")
    ]
    known = set(lexemes(" ".join([turn.question.text, *(cited.quote for cited in citations)])))
    weight = term_statistics({word.stem for passage in nearby for word in passage.words}).weight
    return likely_questions(nearby, known, weight)


async def _suggest(turn: CurrentTurn, citations: Sequence[AnswerCitation], is_answerable: IsAnswerable) -> None:
    """Send the next questions that are answerable; none while another turn checks its own, so that no answer waits."""
    if _looking.locked():
        return
    slots = suggest_slots(turn.question.text, [cited.quote for cited in citations], turn.question.locale)
    written = await calling.write("suggest", turn.key, slots, schema=SCHEMA)
    if written:
        proposed = read_questions(written.text, turn.question.text)
    else:
        proposed = await in_thread(questions_near, turn, citations)
    if not proposed or _looking.locked():
        return
    async with _looking:
        answerable = await asyncio.gather(*map(is_answerable, proposed))
    if kept := tuple(question for question, yes in zip(proposed, answerable, strict=True) if yes):
        await turn.say(Suggestions(kept))
