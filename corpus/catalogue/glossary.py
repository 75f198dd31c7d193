"""The glossary as editors have it now, applied to a question: other wordings, and other words for its words."""

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
    """What else to look for: other wordings of the question, and for each of its lexemes other lexemes that mean it.

    An alternative of several lexemes is held only where all of them are.
    """

    wordings: tuple[str, ...] = ()
    alternatives: Alternatives = field(default_factory=dict)


def synonyms_of(text: str, language: str = ENGLISH, *, stemmed: str = ENGLISH) -> Synonyms:
    """Return the synonyms of a question in this language, and its words as the corpus's other languages stem them.

    English entries are for every question: a reader may ask in English, or for a term, whatever language the page has.
    stemmed: the language that the question's own words are stemmed by, and so the keys of its alternatives.
    """
    return look_up(text, _groups(words_version(), language), _languages(corpus_version()), stemmed)


def technical_stems(text: str, language: str = ENGLISH) -> frozenset[str]:
    """Return the stems of a text's words that are terms of the glossary, in English or this language."""
    return stems_of_terms(text, _whole(words_version(), language))


def stems_of_terms(text: str, terms: Groups) -> frozenset[str]:
    """Return the stems of a text's words that are these terms."""
    stems = _stems(_words(text))
    return frozenset(stem for at, end, _ in terms_in(stems, terms) for stem in stems[at:end])


def look_up(text: str, groups: Groups, languages: Collection[str] = (), stemmed: str = ENGLISH) -> Synonyms:
    """Return the synonyms of a question by these groups, and its words as these languages stem them.

    The question's own words are stemmed by `stemmed`; the glossary's, and so what is sought in it, as English.
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
    """Return for each term's stems the other terms of its entries."""
    groups: dict[Stems, list[GlossaryTerm]] = {}
    for entry in entries:
        terms = [GlossaryTerm(text, stems) for text in entry if (stems := lexemes(text))]
        for term in terms:
            groups.setdefault(term.stems, []).extend(other for other in terms if other.stems != term.stems)
    return groups


def whole_terms(written: Iterable[str]) -> Groups:
    """Return the terms of which every word is looked for; the rest of "living being" may mean anything."""
    terms = [GlossaryTerm(text, lexemes(text)) for text in written]
    return {
        term.stems: (term,) for term in terms if term.stems and len(term.stems) == len(_WORD.findall(fold(term.text)))
    }


@functools.lru_cache(maxsize=8)
def _groups(version: str, language: str) -> Groups:
    """Return the glossary of one language. `version` only tells one state of it from the next."""
    return grouped(entry.terms for entry in sorted(_entries(language), key=lambda entry: entry.language == ENGLISH))


@functools.lru_cache(maxsize=8)
def _whole(version: str, language: str) -> Groups:
    """Return the whole terms of the same glossary. `version` as above."""
    return whole_terms(text for entry in _entries(language) for text in entry.terms)


def _entries(language: str) -> Iterable[GlossaryEntry]:
    return GlossaryEntry.objects.filter(language__in={language.partition("-")[0], language, ENGLISH})


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(fold(text)) if word not in STOPWORDS]


def _stems(words: Iterable[str], language: str = ENGLISH) -> list[str]:
    return [lexeme(word, language) for word in words]


@functools.lru_cache(maxsize=1)
def _languages(version: str) -> frozenset[str]:
    """Return the languages the corpus holds. `version` only tells one state of the corpus from the next."""
    rows = (model.objects.values_list("language", flat=True).distinct() for model in (Lecture, Work))
    return frozenset(chain.from_iterable(rows))
