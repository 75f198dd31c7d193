"""Questions in other languages than English: translated, searched as they are, or refused in their own language.

The readers and the gate read only English. A question is therefore translated where a `translate` model is configured.
Otherwise a multilingual embedding space finds passages for it, which closeness alone decides on.
"""

import logging

from chat.answering.calibrations import MissingCalibration, calibration_of
from chat.answering.domain.query.checks import is_unicode
from chat.answering.domain.query.reply import ReadAs
from chat.answering.domain.viewer import Viewer
from corpus.domain.text.spoken_language import spoken_language
from corpus.models import EmbeddingSpace
from corpus.selectors import languages_of, multilingual_space
from lectorium.ladder import calling
from lectorium.ladder.prompts import FencedText

log = logging.getLogger(__name__)

ENGLISH = "en"
LONGEST = 600  # characters of a translation; a longer text is no question


def foreign_language(text: str) -> str:
    """Return the language of a question that is not in English; "" where it is, or where it is too short to tell."""
    spoken = spoken_language(text)
    return "" if spoken == ENGLISH else spoken


def has_texts_in(language: str, viewer: Viewer) -> bool:
    """Are there texts in this language in sight, so that a question's own words find them?"""
    return language in languages_of(None if viewer.sees_all else viewer.collections)


def space_for_languages() -> EmbeddingSpace | None:
    """The space for questions that only its embedder can read; None where there is none with a bar for them."""
    space = multilingual_space()
    try:
        return space if space and calibration_of(space).languages else None
    except MissingCalibration:
        return None


def is_english(text: str, language: str) -> bool:
    """Is this an English question, by the language that its function words or its page say, and by its letters?"""
    return language.startswith(ENGLISH) and spoken_language(text) in ("", ENGLISH)


async def translated(text: str, language: str, key: str) -> ReadAs | None:
    """Return the question in English by the ladder's `translate` model; None where none is configured, or it fails."""
    written = await calling.write("translate", key, {"question": (FencedText("Question", text),)})
    if written is None:
        return None
    line = " ".join(written.text.split()).strip("\"“”'")
    if not line or written.truncated or len(line) > LONGEST or not is_unicode(line):
        log.warning("the translation by %s is not used", written.served.model)
        return None
    return ReadAs("translation", text, line, language)
