"""A text's words as the checks compare them: folded, stemmed, with their places."""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from corpus.domain.passage import Span
from corpus.domain.text.folding import fold
from corpus.domain.text.sentences import sentence_spans
from corpus.domain.text.stopwords import STOPWORDS

Stem = Callable[[str], str]

_WORD = re.compile(r"\d+(?:[.,:]\d+)*(?:st|nd|rd|th|s)?\b|[^\W\d_]+(?:['’ʼ][^\W\d_]+)*|\d+", re.IGNORECASE)
# What a text says does not hang on whether its writer joins "do" and "not".
_CONTRACTED = re.compile(r"(?P<base>[^\W\d_]+?)(?P<joined>n['’ʼ]t|['’ʼ](?:re|ve|ll|m)|(?<=can)not)", re.IGNORECASE)
_BASES = {"ca": "can", "wo": "will", "sha": "shall"}
_JOINED = {"t": "not", "e": "are", "l": "will", "m": "am"}  # by its last letter
_OPENING = re.compile(r"[\W_]*")
_CALLED = frozenset("i mr mrs ms dr st sir lord lady saint".split())


@dataclass(frozen=True, slots=True)
class Word:
    """A word, and its characters start..end in its text. opens: it begins its sentence, so a capital says nothing."""

    text: str
    folded: str
    stem: str
    start: int
    end: int
    opens: bool = False

    @property
    def is_content(self) -> bool:
        """Does the word carry what is said, or only hold the sentence together?"""
        return self.folded not in STOPWORDS

    @property
    def is_name(self) -> bool:
        """Is the word written as a name? The first word of a sentence never counts."""
        return self.text[:1].isupper() and not self.opens and self.folded not in _CALLED and self.is_content

    def is_one_of(self, names: Collection[str]) -> bool:
        """Is the word a name, or the capital at the head of a sentence one of these known names (folded)?"""
        return self.is_name or (self.opens and self.text[:1].isupper() and self.folded in names)


Words = tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class SentenceWords:
    """A sentence of a text: its span there, and its words, placed in the whole text."""

    span: Span
    words: Words


def sentences_in(text: str, stem: Stem) -> tuple[SentenceWords, ...]:
    """Return the sentences of `text` with their words; `stem` takes one folded word."""
    return tuple(SentenceWords(span, _words(text, span, stem)) for span in sentence_spans(text))


def words_in(text: str, stem: Stem) -> Words:
    """Return the words of every sentence of `text`."""
    return tuple(word for sentence in sentences_in(text, stem) for word in sentence.words)


def _words(text: str, span: Span, stem: Stem) -> Words:
    opening = _OPENING.match(text, *span)
    first = opening.end() if opening else span[0]
    return tuple(
        Word(said, folded, stem(folded), start, start + length, opens=start == first)
        for found in _WORD.finditer(text, *span)
        for said, start, length in _parts(found[0], found.start())
        if (folded := fold(said))
    )


def _parts(word: str, start: int) -> Iterator[tuple[str, int, int]]:
    """Yield a word, or both words of a contraction in full: each with its place and length in the text."""
    found = _CONTRACTED.fullmatch(word)
    if not found:
        yield word, start, len(word)
        return
    base, joined = found["base"], found["joined"].lower()
    full = "have" if joined.endswith("ve") else _JOINED[joined[-1]]
    yield _BASES.get(base.lower(), base), start, len(base)
    yield full, start + len(base), len(joined)
