"""Questions in a language that the embedding space cannot serve: translated where a model is configured."""

import logging

from chat.answering.domain.query.checks import is_unicode
from chat.answering.domain.query.reply import ReadAs
from chat.answering.domain.viewer import Viewer
from corpus.domain.text.spoken_language import spoken_language
from corpus.selectors import languages_of, serving_space, space_embedder
from lectorium.ladder import calling
from lectorium.ladder.prompts import FencedText
from lectorium.providers.english.embedders import reads_only_english

log = logging.getLogger(__name__)

ENGLISH = "en"
LONGEST = 600  # characters of a translation; a longer text is no question


def unserved_language(text: str, viewer: Viewer) -> str:
    """Return the language of a question that cannot be searched; "" where it can.

    Served are English, what the embedder reads, and the languages of the texts in sight, whose words are searched.
    """
    spoken = spoken_language(text)
    if spoken in ("", ENGLISH):
        return ""
    name = space_embedder(serving_space()).name
    served = not reads_only_english(name) or spoken in languages_of(None if viewer.sees_all else viewer.collections)
    return "" if served else spoken


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
