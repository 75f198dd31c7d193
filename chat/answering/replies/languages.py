"""Questions in other languages than English: translated, searched as they are, or refused in their own language.

The readers and the gate read only English. A question is therefore translated where a `translate` model is configured.
Otherwise a multilingual embedding space finds passages for it, which closeness alone decides on.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace

from chat.answering.calibrations import MissingCalibration, calibration_of
from chat.answering.domain import refusals
from chat.answering.domain.query.checks import is_unicode
from chat.answering.domain.query.reply import ReadAs
from chat.answering.domain.question import HistoryMessage, QueryPlan, Route
from chat.answering.domain.thread.abroad import language_in_thread
from chat.answering.domain.viewer import Viewer
from corpus.domain.text.spoken_language import spoken_language
from corpus.multilingual import multilingual_space
from corpus.selectors import languages_of, space_embedder
from lectorium.ladder import calling
from lectorium.ladder.prompts import FencedText
from lectorium.providers.errors import ModelMissing
from lectorium.threads import in_thread

log = logging.getLogger(__name__)

ENGLISH = "en"
LONGEST = 600  # characters of a translation; a longer text is no question


def foreign_language(text: str, history: Sequence[HistoryMessage]) -> str:
    """Return the language of a question that is not in English; "" where it is, or where it cannot be told."""
    spoken = language_in_thread(text, history)
    return "" if spoken == ENGLISH else spoken


def without_translation(plan: QueryPlan, viewer: Viewer, language: str) -> QueryPlan:
    """Return the plan of a question that stays in its language: for closeness to decide, or with a refusal.

    It goes on as it is where texts in sight are in its language, since its own words find them.
    """
    if has_space_for_languages():
        return replace(plan, unread=language)
    if _has_texts_in(language, viewer):
        return plan
    return replace(plan, route=Route.NO_RETRIEVAL, reply=refusals.unserved(language))


def has_space_for_languages() -> bool:
    """Is there a multilingual space with its model, and a bar for questions that only that can read?"""
    space = multilingual_space()
    try:
        return bool(space and space_embedder(space) and calibration_of(space).languages)
    except MissingCalibration:
        return False
    except ModelMissing as error:
        log.warning("the multilingual space serves nothing: %s", error)
        return False


def _has_texts_in(language: str, viewer: Viewer) -> bool:
    return language in languages_of(None if viewer.sees_all else viewer.collections)


def is_english(text: str, language: str) -> bool:
    """Is this an English question, by the language that its function words or its page say, and by its letters?"""
    return language.startswith(ENGLISH) and spoken_language(text) in ("", ENGLISH)


async def translated(text: str, viewer: Viewer, language: str, key: str) -> ReadAs | None:
    """Return the question in English by the ladder's `translate` model; None where none is configured, or it fails.

    None also where texts in sight are in the question's language.
    """
    if await in_thread(_has_texts_in, language, viewer):
        return None
    written = await calling.write("translate", key, {"question": (FencedText("Question", text),)})
    if written is None:
        return None
    line = " ".join(written.text.split()).strip("\"“”'")
    if not line or written.truncated or len(line) > LONGEST or not is_unicode(line):
        log.warning("the translation by %s is not used", written.served.model)
        return None
    return ReadAs("translation", text, line, language)
