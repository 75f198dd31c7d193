"""After an answer: a title, and questions to ask next that the corpus can answer, by the ladder's models or without.

Neither can harm a turn. Without a model a conversation is named by the words of its first question, and the questions
are about what stands beside the citations.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable

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
from chat.answering.journal import Journal
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
_looking = asyncio.Lock()  # whether a question is answerable costs as much as an answer: one turn at a time looks


async def add_follow_ups(journal: Journal, is_answerable: Callable[[str], Awaitable[bool]]) -> None:
    """Say a title for a new conversation and up to three questions, each of which `is_answerable`."""
    try:
        async with asyncio.timeout(WAIT):
            if not journal.question.history:
                await _name(journal)
            await _suggest(journal, is_answerable)
    except Exception:
        log.exception("turn %s: nothing could be added to its answer", journal.turn_id)


async def _name(journal: Journal) -> None:
    question = (FencedText("Question", journal.question.text),)
    written = await calling.write("title", str(journal.turn_id), {"question": question})
    if written and (title := clean_title(written.text)):
        await in_thread(services.conversation_rename, conversation_id=journal.conversation_id, title=title)
        await journal.say(Title(title))


def suggest_slots(question: str, quotes: Iterable[str], locale: str) -> dict[str, Slot]:
    """Return what the prompt for next questions is filled with."""
    return {
        "count": str(QUESTIONS),
        "language": language_slot(locale),
        "passages": tuple(FencedText("Passage", quote) for quote in quotes),
        "question": (FencedText("Question", question),),
    }


def questions_near(journal: Journal) -> tuple[str, ...]:
    """Return questions over what stands beside the citations; none of what is only measured, or not in English."""
    if journal.fresh or not journal.question.locale.startswith("en"):
        return ()
    near = passages_near([cited.chunk_id for cited in journal.citations], QUESTIONS)
    told = [
        NearbyPassage(passage.title, words_in(passage.text, lexeme), passage.address if passage.kind == "verse" else "")
        for passage in near
        if passage.language.startswith("en")
    ]
    known = set(lexemes(" ".join([journal.question.text, *(cited.quote for cited in journal.citations)])))
    weight = term_statistics({word.stem for one in told for word in one.words}).weight
    return likely_questions(told, known, weight)


async def _suggest(journal: Journal, is_answerable: Callable[[str], Awaitable[bool]]) -> None:
    """Say which next questions are answerable; none while another turn looks, so that answers are not kept waiting."""
    if _looking.locked():
        return
    quotes = [cited.quote for cited in journal.citations]
    slots = suggest_slots(journal.question.text, quotes, journal.question.locale)
    written = await calling.write("suggest", str(journal.turn_id), slots, schema=SCHEMA)
    if written:
        proposed = read_questions(written.text, journal.question.text)
    else:
        proposed = await in_thread(questions_near, journal)
    if not proposed or _looking.locked():
        return
    async with _looking:
        answerable = await asyncio.gather(*(is_answerable(one) for one in proposed))
    if kept := tuple(one for one, yes in zip(proposed, answerable, strict=True) if yes):
        await journal.say(Suggestions(kept))
