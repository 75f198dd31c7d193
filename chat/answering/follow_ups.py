"""After an answer: a title, and next questions that the corpus can answer, from the ladder's models or without them.

Neither can harm a turn. Without a model a conversation is named by the words of its first question, and the questions
are those that the passages beside the citations ask or suggest.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence

from chat.answering.current_turn import CurrentTurn
from chat.answering.domain.answer import AnswerCitation
from chat.answering.domain.events import Suggestions, Title
from chat.answering.domain.follow_ups import QUESTIONS, SCHEMA, clean_title, read_questions
from chat.answering.domain.query.decompose import REFINED_CHARS
from chat.answering.domain.query.nearby_questions import NearbyPassage, nearby_questions
from chat.answering.stages.write import language_slot
from chat.conversations import services
from corpus.domain.passage import Passage
from corpus.language import lexeme, lexemes
from corpus.selectors import passages, passages_near, serving_space
from curation.lookup import pinned_at
from lectorium.ladder import calling
from lectorium.ladder.prompts import FencedText, Slot
from lectorium.threads import in_thread

log = logging.getLogger(__name__)

WAIT = 10.0  # seconds for both, after the answer
REACH = 3  # passages before and after a citation
TRIED = 5  # questions checked, of which QUESTIONS are offered
_looking = asyncio.Lock()  # checking whether a question is answerable costs as much as an answer: one turn at a time


IsAnswerable = Callable[[str], Awaitable[bool]]
IsBusy = Callable[[], bool]  # whether a new question would have to wait


async def add_follow_ups(
    turn: CurrentTurn,
    citations: Sequence[AnswerCitation],
    is_answerable: IsAnswerable,
    is_busy: IsBusy,
    offered: tuple[str, ...],
    met: tuple[str, ...],
) -> None:
    """Send a title for a new conversation and up to three questions, each of which `is_answerable`.

    offered: questions of pins that came near, which come first. met: those of pins that say this
    question in other words, which are left out.
    """
    try:
        async with asyncio.timeout(WAIT):
            if not turn.question.history:
                await _name(turn)
            await _suggest(turn, citations, is_answerable, is_busy, offered, met)
    except TimeoutError:
        log.info("turn %s: its title and next questions took too long", turn.turn_id)
    except Exception:
        log.exception("turn %s: nothing could be added to its answer", turn.turn_id)


async def _name(turn: CurrentTurn) -> None:
    question = (FencedText("Question", turn.question.text),)
    written = await calling.write("title", turn.key, {"question": question})
    if not written or not (title := clean_title(written.text)):
        return
    if await gives_title(turn, title):
        await turn.say(Title(title))


async def gives_title(turn: CurrentTurn, title: str) -> bool:
    """Give the conversation this title; False where its reader has named it."""
    thread, asked = turn.conversation_id, turn.question.text
    return await in_thread(services.conversation_rename, conversation_id=thread, question=asked, title=title)


def suggest_slots(question: str, quotes: Iterable[str], locale: str) -> dict[str, Slot]:
    """What the prompt for next questions is filled with."""
    return {
        "count": str(QUESTIONS),
        "language": language_slot(locale),
        "passages": tuple(FencedText("Passage", quote) for quote in quotes),
        "question": (FencedText("Question", question),),
    }


def questions_near(turn: CurrentTurn, citations: Sequence[AnswerCitation]) -> tuple[str, ...]:
    """Questions of editors and sources about passages beside the citations, the nearest first.

    None for a turn that is only measured, or not in English.
    """
    if turn.fresh or not turn.question.locale.startswith("en"):
        return ()
    cited = passages([citation.chunk_id for citation in citations])
    beside = passages_near([passage.chunk_id for passage in cited], 2 * REACH * len(cited), REACH)
    around = sorted([*cited, *beside], key=lambda passage: _distance(passage, cited))
    english = [passage for passage in around if passage.language.startswith("en")]
    nearby = [NearbyPassage(passage.text, _verse_beside(passage, cited)) for passage in english]
    quotes = [citation.quote for citation in citations]
    known = frozenset(lexemes(" ".join([turn.question.text, *quotes])))
    space = serving_space()
    pinned = pinned_at([passage.address for passage in around], space, turn.question.viewer.scope) if space else []
    proposed = (*pinned, *nearby_questions(nearby, quotes, known, lexeme))
    return tuple(text for text in dict.fromkeys(proposed) if text.casefold() != turn.question.text.casefold())[:TRIED]


def _distance(passage: Passage, cited: Sequence[Passage]) -> int:
    """How many passages lie between this one and the nearest citation in its source."""
    same_source = (quoted for quoted in cited if quoted.source_id == passage.source_id)
    return min(abs(passage.ordinal - quoted.ordinal) for quoted in same_source)


def _verse_beside(passage: Passage, cited: Sequence[Passage]) -> str:
    """The address of a verse right before or after a citation, else ""."""
    return passage.address if passage.kind == "verse" and _distance(passage, cited) == 1 else ""


async def _suggest(
    turn: CurrentTurn,
    citations: Sequence[AnswerCitation],
    is_answerable: IsAnswerable,
    is_busy: IsBusy,
    offered: tuple[str, ...],
    met: tuple[str, ...],
) -> None:
    """Send the offered questions and, after them, next ones that are answerable, without those met."""
    found = await _next_questions(turn, citations, is_answerable, is_busy)
    if kept := tuple(text for text in dict.fromkeys([*offered, *found]) if text not in met)[:QUESTIONS]:
        await turn.say(Suggestions(kept))


async def _next_questions(
    turn: CurrentTurn, citations: Sequence[AnswerCitation], is_answerable: IsAnswerable, is_busy: IsBusy
) -> tuple[str, ...]:
    """The next questions that are answerable.

    None while another turn checks its own, nor while a new question would have to wait: checking five questions takes
    the time of five answers. None after an overlong question: reading for its answer cost enough.
    """
    if _looking.locked() or is_busy() or len(turn.question.text) > REFINED_CHARS:
        return ()
    slots = suggest_slots(turn.question.text, [cited.quote for cited in citations], turn.question.locale)
    written = await calling.write("suggest", turn.key, slots, schema=SCHEMA)
    if written:
        proposed = read_questions(written.text, turn.question.text)
    else:
        proposed = await in_thread(questions_near, turn, citations)
    if not proposed or _looking.locked() or is_busy():
        return ()
    async with _looking:
        answerable = await asyncio.gather(*map(is_answerable, proposed))
    return tuple(question for question, yes in zip(proposed, answerable, strict=True) if yes)
