"""The values of the numbers in a text, in any spelling: 1,893; forty-two; two hundred million; the third."""

from collections.abc import Iterator
from dataclasses import dataclass

from chat.answering.domain.words import Word, Words
from corpus.domain.text.numerals import cardinal, ordinal

_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_OTHERS = {"dozen": 12.0, "twice": 2.0, "thrice": 3.0, "double": 2.0, "triple": 3.0, "half": 0.5, "zero": 0.0}
LOOSE_NUMBERS = frozenset({0.5, 1.0, 2.0})  # "one must", "at first", "half of it", "a second time" are not quantities
_TENS = frozenset(range(20, 100, 10))


@dataclass(frozen=True, slots=True)
class Number:
    """first, last: indexes of its words, `last` exclusive."""

    value: float
    first: int
    last: int


def numbers_in(words: Words) -> Iterator[Number]:
    """The numbers of the words, in order: 12, twelfth and twelve are all 12."""
    at = 0
    while at < len(words):
        found = _number(words, at)
        if found:
            yield found
        at = found.last if found else at + 1


def _number(words: Words, at: int) -> Number | None:
    word = words[at]
    if (rank := ordinal(word.folded)) is not None:
        return Number(rank, at, at + 1)
    first = _value(word)
    if first is None:
        return None
    total, group, end = 0.0, first, at + 1
    spelled = word.folded.isalpha()
    while end < len(words):
        scale = _SCALES.get(words[end].folded)
        after_and = int(spelled and group + total > 0 and group % 100 == 0 and words[end].folded == "and")
        small = _small(words, end + after_and) if spelled else None
        if scale:
            group *= scale
            if scale > 100:
                total, group = total + group, 0.0
            end += 1
        elif small and _fits(small, group, total):
            group += small
            end += 1 + after_and
        else:
            break
    return Number(total + group, at, end)


def _fits(small: float, group: float, total: float) -> bool:
    """Whether a number below a hundred continues the one before: twenty-five, two hundred and six."""
    if group % 100 in _TENS:
        return small < 10
    return group % 100 == 0 and bool(group or total)


def _small(words: Words, at: int) -> float | None:
    return cardinal(words[at].folded) if at < len(words) and words[at].folded.isalpha() else None


def _value(word: Word) -> float | None:
    digits = word.text.replace(",", "").rstrip("s")
    if digits[:1].isdigit():
        return float(digits) if digits.replace(".", "", 1).isdecimal() else None
    if word.folded in _SCALES:
        return float(_SCALES[word.folded])
    return _OTHERS.get(word.folded) or cardinal(word.folded)
