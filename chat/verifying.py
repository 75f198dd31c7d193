"""What the checks of a turn are made with, beside its notes: the library, and who judges claims."""

import logging
from collections.abc import Sequence

from django.conf import settings

from chat.domain.checking import CheckRules
from chat.domain.guards import Library
from chat.domain.specificity import specificity
from chat.domain.viewer import Viewer
from chat.domain.words import words_in
from corpus.addresses import shelf
from corpus.glossary import synonyms_of
from corpus.language import lexeme
from corpus.terms import term_statistics
from lectorium.ladder.calling import note_builtin, reached
from lectorium.ladder.selectors import Served, chain
from lectorium.ladder.services import usage_record
from lectorium.providers.errors import ProviderError
from lectorium.providers.llm_judge import LlmJudge
from lectorium.providers.protocols import Judgement, Verifier
from lectorium.providers.registry import verifier

log = logging.getLogger(__name__)


class Judges:
    """Verifier: the ladder's models, first choice first; the local one judges where none of them can."""

    def __init__(self, served: Sequence[Served], local: Verifier) -> None:
        self.name = f"judge {served[0].model}"
        self._served, self._local = served, local

    def verify(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """Judge (evidence, claim) pairs. Call it on a thread without an event loop."""
        for one in self._served:
            try:
                return _judged(one, pairs)
            except ProviderError as error:
                log.warning("claims are judged without %s: %s", one.model, error)
        return self._local.verify(pairs)


def verifier_for(question: str, key: str, author: str) -> Verifier:
    """Return who judges what `author` writes: the ladder's `verify` models but never the author, else the local one.

    key: names the turn, for the ladder's percentages. For a question less specific than LECTORIUM_MIN_SPECIFICITY the
    local one judges.
    """
    first, *rest = chain("verify", key)
    if first.is_builtin:
        note_builtin(first)
    served = [one for one in (first, *rest) if not one.is_builtin and one.model != author]
    if not served or is_unspecific(question):
        return verifier()
    return Judges(served, verifier())


def is_unspecific(question: str) -> bool:
    """Does the question name too little for a model's judgement to be paid for?"""
    if not settings.MIN_SPECIFICITY:
        return False
    words = words_in(question, lexeme)
    known = term_statistics({word.stem for word in words if word.carries})
    most = CheckRules().rare_word * known.total
    rare = {word.stem for word in words if known.chunks.get(word.stem, 0) <= most}
    return specificity(words, rare) < settings.MIN_SPECIFICITY


def library_of(viewer: Viewer) -> Library:
    """Return the glossary and the addresses of what a viewer may see, as the checks use them."""
    known = shelf(None if viewer.sees_all else viewer.collections)
    return Library(lambda text: synonyms_of(text).alternatives, known.book)


def _judged(served: Served, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
    """Let one model judge, within budget. Its loop runs here, so nothing within it may wait for another thread."""
    model = reached(served)
    try:
        return LlmJudge(model).verify(pairs)
    finally:
        for call in model.calls:
            usage_record(call=call)
