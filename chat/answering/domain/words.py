"""The words of a text as the checks compare them: folded, stemmed, with their positions."""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from corpus.domain.passage import Span
from corpus.domain.text.folding import fold
from corpus.domain.text.sentences import sentence_spans
from corpus.domain.text.stopwords import STOPWORDS

Stem = Callable[[str], str]

_WORD = re.compile(r"\d+(?:[.,:]\d+)*(?:st|nd|rd|th|s)?\b|[^\W\d_]+(?:['’ʼ][^\W\d_]+)*|\d+", re.IGNORECASE)
# Contractions count as two words, so that "don't" equals "do not".
_CONTRACTED = re.compile(r"(?P<base>[^\W\d_]+?)(?P<joined>n['’ʼ]t|['’ʼ](?:re|ve|ll|m)|(?<=can)not)", re.IGNORECASE)
_BASES = {"ca": "can", "wo": "will", "sha": "shall"}
_SECOND_WORDS = {"t": "not", "e": "are", "l": "will", "m": "am"}  # by its last letter
_OPENING_MARKS = re.compile(r"[\W_]*")
_TITLES = frozenset("i mr mrs ms dr st sir lord lady saint".split())


@dataclass(frozen=True, slots=True)
class Word:
    """start, end: its characters in the text. opens: it opens its sentence, so a capital does not make it a name."""

    text: str
    folded: str
    stem: str
    start: int
    end: int
    opens: bool = False

    @property
    def is_content(self) -> bool:
        """Whether this is a content word, unlike function words such as "of"."""
        return self.folded not in STOPWORDS

    @property
    def is_name(self) -> bool:
        """Whether the word is capitalised like a name. The first word of a sentence never counts."""
        return self.text[:1].isupper() and not self.opens and self.folded not in _TITLES and self.is_content

    def is_one_of(self, names: Collection[str]) -> bool:
        """Whether the word is a name; at the start of a sentence, whether it is one of `names` (folded)."""
        return self.is_name or (self.opens and self.text[:1].isupper() and self.folded in names)


Words = tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class SentenceWords:
    """A sentence: its span in the text, and its words, whose positions refer to the whole text."""

    span: Span
    words: Words


def sentences_in(text: str, stem: Stem) -> tuple[SentenceWords, ...]:
    """The sentences of `text` with their words. stem: maps a folded word to its stem."""
    return tuple(SentenceWords(span, _words(text, span, stem)) for span in sentence_spans(text))


def words_in(text: str, stem: Stem) -> Words:
    return tuple(word for sentence in sentences_in(text, stem) for word in sentence.words)


def _words(text: str, span: Span, stem: Stem) -> Words:
    opening = _OPENING_MARKS.match(text, *span)
    first = opening.end() if opening else span[0]
    return tuple(
        Word(word, folded, stem(folded), start, start + length, opens=start == first)
        for found in _WORD.finditer(text, *span)
        for word, start, length in _parts(found[0], found.start())
        if (folded := fold(word))
    )


def _parts(word: str, start: int) -> Iterator[tuple[str, int, int]]:
    """The word, or both words of a contraction in full, each with its offset and length in the text."""
    found = _CONTRACTED.fullmatch(word)
    if not found:
        yield word, start, len(word)
        return
    base, joined = found["base"], found["joined"].lower()
    full = "have" if joined.endswith("ve") else _SECOND_WORDS[joined[-1]]
    yield _BASES.get(base.lower(), base), start, len(base)
    yield full, start + len(base), len(joined)
