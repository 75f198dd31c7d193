"""After an answer, where the ladder names models for it: a title, and questions to ask next that the corpus can answer.

Neither can harm a turn. Without a model a conversation is named by the words of its first question.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable

from chat import services
from chat.domain.events import Suggestions, Title
from chat.domain.following import QUESTIONS, SCHEMA, clean_title, read_questions
from chat.journal import Journal
from chat.stages.write import language_slot
from lectorium.ladder import calling
from lectorium.ladder.prompts import Fenced, Slot
from lectorium.threads import in_thread

log = logging.getLogger(__name__)

WAIT = 10.0  # seconds a finished answer waits for both


async def add_afterwards(journal: Journal, is_answerable: Callable[[str], Awaitable[bool]]) -> None:
    """Say a title for a new conversation and up to three questions, each of which `is_answerable`."""
    try:
        async with asyncio.timeout(WAIT):
            if not journal.question.history:
                await _name(journal)
            await _suggest(journal, is_answerable)
    except Exception:
        log.exception("turn %s: nothing could be added to its answer", journal.turn_id)


async def _name(journal: Journal) -> None:
    question = (Fenced("Question", journal.question.text),)
    written = await calling.write("title", str(journal.turn_id), {"question": question})
    if written and (title := clean_title(written.text)):
        await in_thread(services.conversation_rename, conversation_id=journal.conversation_id, title=title)
        await journal.say(Title(title))


def suggest_slots(question: str, quotes: Iterable[str], locale: str) -> dict[str, Slot]:
    """Return what the prompt for next questions is filled with."""
    return {
        "count": str(QUESTIONS),
        "language": language_slot(locale),
        "passages": tuple(Fenced("Passage", quote) for quote in quotes),
        "question": (Fenced("Question", question),),
    }


async def _suggest(journal: Journal, is_answerable: Callable[[str], Awaitable[bool]]) -> None:
    quotes = [cited.quote for cited in journal.citations]
    slots = suggest_slots(journal.question.text, quotes, journal.question.locale)
    written = await calling.write("suggest", str(journal.turn_id), slots, schema=SCHEMA)
    proposed = read_questions(written.text, journal.question.text) if written else ()
    answerable = await asyncio.gather(*(is_answerable(one) for one in proposed))
    if kept := tuple(one for one, yes in zip(proposed, answerable, strict=True) if yes):
        await journal.say(Suggestions(kept))
