"""The editors' glossary applied to a question: other wordings, and synonyms of its words."""

import functools
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from corpus.domain.glossary import GlossaryTerm, Stems, reworded, terms_in
from corpus.domain.text.folding import fold
from corpus.domain.text.stopwords import STOPWORDS
from corpus.language import lexeme, lexemes
from corpus.models import GlossaryEntry, Lecture, Work
from corpus.selectors import corpus_version, words_version

ENGLISH = "en"
_WORD = re.compile(r"\w+")

Alternatives = Mapping[str, tuple[Stems, ...]]
Groups = Mapping[Stems, Sequence[GlossaryTerm]]


@dataclass(frozen=True, slots=True)
class Synonyms:
    """Other wordings of a question, and for each of its lexemes the lexemes that mean the same.

    An alternative of several lexemes matches only where all of them occur.
    """

    wordings: tuple[str, ...] = ()
    alternatives: Alternatives = field(default_factory=dict)


def synonyms_of(text: str, language: str = ENGLISH, *, stemmed: str = ENGLISH) -> Synonyms:
    """Synonyms of a question in this language, and its words as the corpus's other languages stem them.

    English entries apply to every question, because readers use English terms in all languages. stemmed: the language
    by which the question's words, the keys of the alternatives, are stemmed.
    """
    return look_up(text, _groups(words_version(), language), _languages(corpus_version()), stemmed)


def technical_stems(text: str, language: str = ENGLISH) -> frozenset[str]:
    """Stems of the glossary terms in a text, in English and in this language."""
    return stems_of_terms(text, _whole(words_version(), language))


def stems_of_terms(text: str, terms: Groups) -> frozenset[str]:
    """Stems of these terms in a text."""
    stems = _stems(_words(text))
    return frozenset(stem for at, end, _ in terms_in(stems, terms) for stem in stems[at:end])


def look_up(text: str, groups: Groups, languages: Collection[str] = (), stemmed: str = ENGLISH) -> Synonyms:
    """Synonyms of a question by these groups, and its words as stemmed by these languages.

    The question is stemmed by `stemmed`, glossary terms as English.
    """
    words = _words(text)
    stems = _stems(words, stemmed)
    found = terms_in(_stems(words), groups)
    alternatives: dict[str, dict[Stems, None]] = {}
    for at, end, others in found:
        for stem in stems[at:end]:
            alternatives.setdefault(stem, {}).update(dict.fromkeys(other.stems for other in others))
    for word, stem in zip(words, stems, strict=True):
        for other in {lexeme(word, spoken) for spoken in languages} - {stem}:
            alternatives.setdefault(stem, {})[(other,)] = None
    return Synonyms(reworded(words, found), {stem: tuple(others) for stem, others in alternatives.items()})


def grouped(entries: Iterable[Sequence[str]]) -> Groups:
    """For the stems of each term, the other terms of its entries."""
    groups: dict[Stems, list[GlossaryTerm]] = {}
    for entry in entries:
        terms = [GlossaryTerm(text, stems) for text in entry if (stems := lexemes(text))]
        for term in terms:
            groups.setdefault(term.stems, []).extend(other for other in terms if other.stems != term.stems)
    return groups


def whole_terms(written: Iterable[str]) -> Groups:
    """Terms in which no word is a stopword; a stem of the rest, such as "living being", may mean anything."""
    terms = [GlossaryTerm(text, lexemes(text)) for text in written]
    return {
        term.stems: (term,) for term in terms if term.stems and len(term.stems) == len(_WORD.findall(fold(term.text)))
    }


@functools.lru_cache(maxsize=8)
def _groups(version: str, language: str) -> Groups:
    """The glossary of a language. `version` is a cache key only."""
    return grouped(entry.terms for entry in sorted(_entries(language), key=lambda entry: entry.language == ENGLISH))


@functools.lru_cache(maxsize=8)
def _whole(version: str, language: str) -> Groups:
    """The whole terms of that glossary. `version` is a cache key only."""
    return whole_terms(text for entry in _entries(language) for text in entry.terms)


def _entries(language: str) -> Iterable[GlossaryEntry]:
    return GlossaryEntry.objects.filter(language__in={language.partition("-")[0], language, ENGLISH})


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(fold(text)) if word not in STOPWORDS]


def _stems(words: Iterable[str], language: str = ENGLISH) -> list[str]:
    return [lexeme(word, language) for word in words]


@functools.lru_cache(maxsize=1)
def _languages(version: str) -> frozenset[str]:
    """Languages in the corpus. `version` is a cache key only."""
    rows = (model.objects.values_list("language", flat=True).distinct() for model in (Lecture, Work))
    return frozenset(chain.from_iterable(rows))
