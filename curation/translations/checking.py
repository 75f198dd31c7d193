"""Checks a translation by the editors' glossary and, for a headline, by the lecture below it."""

import functools

from corpus.models import GlossaryEntry, Lecture
from corpus.selectors import words_version
from curation.domain.translation_checks import (
    KeptTerm,
    TranslatedPair,
    TranslationFault,
    lowercase_words,
    translation_faults,
)
from curation.domain.translation_terms import GlossaryGroup, kept_terms
from curation.translations.models import Translation


def faults_of(row: Translation, text: str) -> tuple[TranslationFault, ...]:
    """What is wrong with this text as the translation of a row's source."""
    prose = _prose(row) if row.part == Translation.Part.LECTURE_TITLE else frozenset()
    return translation_faults(TranslatedPair(row.source, text, row.language, row.locale, terms_of(row), prose))


def terms_of(row: Translation) -> tuple[KeptTerm, ...]:
    """The terms that a translation of this row's source must keep."""
    return kept_terms(row.source, row.language, row.locale, _glossary(words_version()))


@functools.lru_cache(maxsize=1)
def _glossary(version: str) -> tuple[GlossaryGroup, ...]:
    """The whole glossary. `version` is a cache key only."""
    return tuple(GlossaryGroup(entry.language, entry.terms) for entry in GlossaryEntry.objects.all())


def _prose(row: Translation) -> frozenset[str]:
    return lowercase_words(Lecture.objects.filter(pk=row.owner).values_list("text", flat=True).first() or "")
