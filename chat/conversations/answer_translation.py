"""An answer in the reader's interface language, by the ladder's `translate` model, beside the sources' own words."""

import asyncio
import logging
from hashlib import sha256
from itertools import groupby
from uuid import UUID

from django.core.cache import cache

from chat.answering.domain.viewer import Viewer
from chat.conversations.domain.masking import response_for
from chat.conversations.feedback import TurnNotFound
from chat.conversations.selectors import turn_of
from chat.conversations.visibility import visible_quotes
from curation.translations.writer import JOB, PROMPT, language_name, readable
from lectorium.ladder import calling
from lectorium.ladder.prompts import NOTHING, FencedText, Slot
from lectorium.ladder.selectors import chain
from lectorium.threads import in_thread

log = logging.getLogger(__name__)
KEPT_SECONDS = 24 * 60 * 60  # so that an answer costs a model one reading for each language
WHAT = "a passage quoted from a source, or a part of an answer about it"


class NotTranslated(Exception):
    """No model translates now, or its output cannot be used."""


def translates_answers() -> bool:
    """Is there a model that translates?"""
    return any(not served.is_builtin for served in chain(JOB, ""))


async def translate_answer(*, viewer: Viewer, turn: UUID, language: str) -> list[str]:
    """The paragraphs of an answer of the viewer's, as far as they may see it, in this language.

    Raises TurnNotFound where they have no such turn or see nothing of it, and NotTranslated.
    """
    paragraphs = await in_thread(_paragraphs, viewer, turn)
    return list(await asyncio.gather(*(_translated(text, language, str(turn)) for text in paragraphs)))


def _paragraphs(viewer: Viewer, turn: UUID) -> list[str]:
    own = turn_of(turn, viewer)
    shown = response_for(own.response, visible_quotes(viewer, [own.response])) if own else {}
    by_paragraph = groupby(shown.get("sentences", ()), key=lambda sentence: sentence.get("paragraph", 0))
    paragraphs = [" ".join(sentence["text"] for sentence in sentences) for _, sentences in by_paragraph]
    if not paragraphs:
        raise TurnNotFound(str(turn))
    return paragraphs


async def _translated(text: str, language: str, key: str) -> str:
    name = "answer-translation-" + sha256(f"{language} {text}".encode()).hexdigest()
    if known := await in_thread(_stored, name):
        return known
    slots: dict[str, Slot] = {
        "source_language": "the language it is in",
        "language": language_name(language),
        "what": WHAT,
        "terms": NOTHING,
        "text": (FencedText("The text", text),),
    }
    written = await calling.write(JOB, key, slots, prompt_name=PROMPT)
    found = " ".join(readable(written.text).split()) if written and not written.truncated else ""
    if not found:
        raise NotTranslated
    await in_thread(_store, name, found)
    return found


def _stored(name: str) -> str:
    """The stored translation; "" without one, or where the cache cannot be reached."""
    try:
        known = cache.get(name)
    except Exception:
        log.warning("the cache of translations cannot be read", exc_info=True)
        return ""
    return known if isinstance(known, str) else ""


def _store(name: str, text: str) -> None:
    try:
        cache.set(name, text, KEPT_SECONDS)
    except Exception:
        log.warning("a translation was not stored", exc_info=True)
