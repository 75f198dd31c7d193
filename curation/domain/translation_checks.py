"""Checks a translation against its source: numbers, names, kept terms, length and language. Nothing is corrected."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from corpus.domain.text.folding import fold
from corpus.domain.text.numerals import cardinal, ordinal, roman
from corpus.domain.text.spoken_language import scripts_of, spoken_language

# Thousands joined by a space, and digits joined by the marks of 1,000 · 3.5 · 2:13.
_NUMBER = re.compile(r"\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\d+(?:[.,:]\d+)*")
_THOUSANDS = re.compile(r"\d{1,3}(?:[.,\s]\d{3})+")
WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_APOSTROPHES = re.compile(r"['’ʼ]")
_LETTERS = re.compile(r"[^\W\d_]+")
# A word here begins a sentence, a quotation or a part, so that its capital says nothing.
_OPENS = re.compile(r"(?:^|[.!?:;…—–\n(\[\"“„«‘।])[\"“„«‘(\[\s]*$")
_NEVER_NAMES = frozenset(
    """
    i january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday
    """.split()
)
_NOUNS_CAPITALISED = ("de", "lb")  # languages in which a capital does not mark a name
_COMPARED_SCRIPTS = ("Latin", "Devanagari")  # scripts that fold() writes in the same letters


@dataclass(frozen=True, slots=True)
class TranslationRules:
    """When a translation is doubted.

    shortest, longest: characters for each of the source. least: characters of a source from which the length is judged.
    name_prefix, name_share: letters at the beginning that a name and its form in another language share, at least, and
    as a share of the shorter of the two. inflection: letters that a kept term may gain at its end. title_share: share
    of capitalised words from which a text is a headline, whose capitals mark no names.
    """

    shortest: float = 0.2
    longest: float = 3.0
    least: int = 40
    name_prefix: int = 3
    name_share: float = 0.5
    inflection: int = 3
    title_share: float = 0.6


RULES = TranslationRules()


@dataclass(frozen=True, slots=True)
class KeptTerm:
    """A glossary term of a source, and the renderings of which its translation must have one."""

    term: str
    renderings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TranslationFault:
    """What a check found. `said` is a sentence for the reviewer."""

    check: str
    said: str


@dataclass(frozen=True, slots=True)
class TranslatedPair:
    """A source and its translation. terms: glossary terms in the source. prose: lower-case words of the text that a
    headline belongs to, by which its names are told from its other words.
    """

    source: str
    target: str
    source_language: str
    locale: str
    terms: tuple[KeptTerm, ...] = ()
    prose: frozenset[str] = frozenset()


def translation_faults(pair: TranslatedPair, rules: TranslationRules = RULES) -> tuple[TranslationFault, ...]:
    """Everything that is wrong with a translation, most serious first; () where no check found anything."""
    if not pair.target.strip():
        return (TranslationFault("empty", "The translation is empty."),)
    return (*_language(pair), *_length(pair, rules), *_numbers(pair), *_terms(pair, rules), *_names(pair, rules))


def _language(pair: TranslatedPair) -> Iterator[TranslationFault]:
    found = spoken_language(pair.target)
    if found and found != _base(pair.locale):
        yield TranslationFault("language", f"It reads as {found}, not as {pair.locale}.")
    elif fold(pair.source) == fold(pair.target) and spoken_language(pair.source):
        yield TranslationFault("language", "It is the source, not translated.")


def _length(pair: TranslatedPair, rules: TranslationRules) -> Iterator[TranslationFault]:
    share = len(pair.target) / max(1, len(pair.source))
    if len(pair.source) >= rules.least and not rules.shortest <= share <= rules.longest:
        words = "shorter" if share < 1 else "longer"
        yield TranslationFault("length", f"It is much {words} than the source ({share:.0%} of its characters).")


def _numbers(pair: TranslatedPair) -> Iterator[TranslationFault]:
    has, gets = numbers_in(pair.source), numbers_in(pair.target)
    if missing := sorted(has - gets - _spelled_numbers(pair.target)):
        yield TranslationFault("numbers", f"The source has {_listed(missing)}, the translation does not.")
    if added := sorted(gets - has - _spelled_numbers(pair.source)):
        yield TranslationFault("numbers", f"The translation has {_listed(added)}, the source does not.")


def numbers_in(text: str) -> frozenset[str]:
    """The numbers written in digits of any script, with "." between their parts and thousands joined."""
    return frozenset(_plain_number(found[0]) for found in _NUMBER.finditer(text))


def _plain_number(written: str) -> str:
    digits = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in written)
    if _THOUSANDS.fullmatch(digits):
        digits = re.sub(r"\D", "", digits)
    return ".".join(part.lstrip("0") or "0" for part in re.split(r"\D", digits))


def _spelled_numbers(text: str) -> frozenset[str]:
    """Values of the numbers in English words and Roman capitals."""
    values = (cardinal(w.casefold()) or ordinal(w.casefold()) or roman(w) for w in _LETTERS.findall(text))
    return frozenset(str(value) for value in values if value)


def _terms(pair: TranslatedPair, rules: TranslationRules) -> Iterator[TranslationFault]:
    words = fold(pair.target).split()
    for term in pair.terms:
        if not any(stands_in(rendering, words, rules.inflection) for rendering in term.renderings):
            expected = " or ".join(f"“{rendering}”" for rendering in term.renderings)
            yield TranslationFault("terms", f"“{term.term}” must be {expected} in the translation.")


def stands_in(term: str, words: Sequence[str], inflection: int) -> bool:
    """Whether folded words hold this term in a row; its last word may have gained letters."""
    *first, last = fold(term).split() or [""]
    for at in range(len(words) - len(first)):
        ending = words[at + len(first)]
        begins = ending.startswith(last) and len(ending) - len(last) <= inflection
        if last and begins and list(words[at : at + len(first)]) == first:
            return True
    return False


def _names(pair: TranslatedPair, rules: TranslationRules) -> Iterator[TranslationFault]:
    if not (_is_compared(pair.source) and _is_compared(pair.target)):
        return
    rendered = [fold(word) for term in pair.terms for word in (term.term, *term.renderings)]
    named = names_in(pair.source, pair.source_language, pair.prose, rules)
    if missing := _unmet(named, _words(pair.target), rendered, rules):
        yield TranslationFault("names", f"The source names {_listed(missing)}, the translation does not.")
    named = names_in(pair.target, pair.locale, frozenset(), rules)
    if added := _unmet(named, _words(pair.source), rendered, rules):
        yield TranslationFault("names", f"The translation names {_listed(added)}, the source does not.")


def _is_compared(text: str) -> bool:
    scripts = scripts_of(text)
    return not scripts or scripts[0] in _COMPARED_SCRIPTS


def names_in(text: str, language: str, prose: Collection[str] = (), rules: TranslationRules = RULES) -> tuple[str, ...]:
    """The words that their capital marks as names, in order.

    In a headline, where every word has one, these are the words that `prose` does not have in lower case; without prose
    there are none. None either in a language that capitalises nouns.
    """
    if _base(language) in _NOUNS_CAPITALISED:
        return ()
    found = [(word[0], word.start()) for word in WORD.finditer(text)]
    if _is_headline([word for word, _ in found], rules):
        names = [word for word, _ in found if _is_name(word) and prose and not _in_prose(word, prose)]
    else:
        names = [word for word, at in found if _is_name(word) and not _OPENS.search(text, 0, at)]
    return tuple(dict.fromkeys(names))


def _is_name(word: str) -> bool:
    letters = word.replace("-", "")
    is_word = len(letters) > 1 and letters.isalpha() and word[0].isupper()
    return is_word and word.casefold() not in _NEVER_NAMES and not roman(word)


def _in_prose(word: str, prose: Collection[str]) -> bool:
    return any(part.casefold() in prose for part in (word, *_LETTERS.findall(word)))


def _is_headline(words: list[str], rules: TranslationRules) -> bool:
    later = words[1:]
    return bool(later) and sum(word[:1].isupper() for word in later) >= rules.title_share * len(later)


def _unmet(
    names: Iterable[str], words: Collection[str], rendered: Collection[str], rules: TranslationRules
) -> list[str]:
    """The names without a counterpart in the translation, apart from glossary terms."""
    return [
        name
        for name in names
        if not any(fold(name) in term.split() or fold(name) == term for term in rendered)
        and not all(any(_is_form(part, word, rules) for word in words) for part in fold(name).split())
    ]


def _is_form(name: str, word: str, rules: TranslationRules) -> bool:
    """Whether a word may be this name in another language: Augustus, Auguste."""
    shorter = min(len(name), len(word))
    wanted = min(len(name), max(rules.name_prefix, round(rules.name_share * shorter)))
    return word[:wanted] == name[:wanted]


def _words(text: str) -> frozenset[str]:
    """Folded words, with a space for an apostrophe: qu’Auguste."""
    return frozenset(fold(word) for word in _LETTERS.findall(fold(_APOSTROPHES.sub(" ", text))))


def lowercase_words(text: str) -> frozenset[str]:
    """The words of a text that begin with a small letter."""
    return frozenset(word for word in _LETTERS.findall(text) if word.islower())


def _base(language: str) -> str:
    return language.partition("-")[0].lower()


def _listed(values: list[str]) -> str:
    return ", ".join(values)
