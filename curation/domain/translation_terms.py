"""Which glossary terms a translation must keep, and how they may be rendered."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from corpus.domain.text.folding import fold
from corpus.domain.text.transliteration import looks_sanskrit
from curation.domain.translation_checks import WORD, KeptTerm, stands_in

_PLURAL = 1  # letters that a term may have gained in the source
_SANSKRIT_LETTER = re.compile("[āīūṛṝḷṅṭḍṇśṣṃḥ]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class GlossaryGroup:
    """Terms of one meaning in a language."""

    language: str
    terms: tuple[str, ...]


def kept_terms(text: str, source_language: str, locale: str, groups: Sequence[GlossaryGroup]) -> tuple[KeptTerm, ...]:
    """The terms in a text that its translation must keep, by the glossary and by their letters.

    A transliterated word stays as it is, or as the glossary of the locale has it. Any other word is bound only where
    the locale's glossary names it: “Seele: soul” in German binds “soul” to “Seele”. Of jñāna and jñāna-yoga only the
    longer is bound.
    """
    words = fold(text).split()
    ours = [group for group in groups if _serves(group, source_language)]
    theirs = [group for group in groups if _is_of(group.language, locale)]
    marked = (word for word in WORD.findall(text) if _SANSKRIT_LETTER.search(word))
    possible = chain((term for group in ours for term in group.terms), marked)
    found = [term for term in possible if stands_in(term, words, _PLURAL)]
    whole = {fold(term): term for term in reversed(found)}
    parts = {key for key in whole for longer in whole if f" {key} " in f" {longer} " and key != longer}
    kept = (KeptTerm(term, _renderings(term, ours, theirs)) for key, term in whole.items() if key not in parts)
    return tuple(term for term in reversed(list(kept)) if term.renderings)


def _renderings(term: str, ours: Iterable[GlossaryGroup], theirs: Iterable[GlossaryGroup]) -> tuple[str, ...]:
    itself = (term,) if is_transliterated(term) else ()
    source_words = {fold(other) for group in ours if _names(group, term) for other in group.terms} | {fold(term)}
    localised = (other for group in theirs if _names(group, term) for other in group.terms)
    return tuple(dict.fromkeys((*itself, *(other for other in localised if fold(other) not in source_words))))


def is_transliterated(term: str) -> bool:
    """Whether a term is Sanskrit in Latin letters: by its diacritics, or by how it is spelled."""
    return bool(_SANSKRIT_LETTER.search(term)) or all(looks_sanskrit(word) for word in fold(term).split())


def _names(group: GlossaryGroup, term: str) -> bool:
    return fold(term) in map(fold, group.terms)


def _serves(group: GlossaryGroup, language: str) -> bool:
    """English terms are used in every language."""
    return _is_of(group.language, language) or _is_of(group.language, "en")


def _is_of(group_language: str, language: str) -> bool:
    return group_language in (language, language.partition("-")[0])
