"""Which word of the corpus a misspelled word of a question is meant to be.

A word is misspelled where neither the corpus nor English knows it. It is replaced only by a word that one slip of the
fingers away, so that a name from elsewhere stays as typed.
"""

import re
import string
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from corpus.domain.text.folding import fold


@dataclass(frozen=True, slots=True)
class SpellingRules:
    """Evidence: docs/thresholds.md.

    shortest, longest: letters of a word that may be misspelled. words: how many of a question may be; more is another
    language. chunks: the least that hold the word it is meant to be.
    """

    shortest: int = 4
    longest: int = 30
    words: int = 3
    chunks: int = 1


_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_QUOTED = re.compile(r"[\"“”«»„][^\"“”«»„]*[\"“”«»„]")
_DOUBLED = re.compile(r"(.)\1+")


def misspelled_words(text: str, is_known: Callable[[str], bool], rules: SpellingRules) -> tuple[tuple[int, int], ...]:
    """Return the spans of words that neither the corpus nor English knows; () where that is nearly the whole question.

    is_known: of a folded word. Quoted words are as their reader wants them.
    """
    quoted = [found.span() for found in _QUOTED.finditer(text)]
    words = [found for found in _WORD.finditer(text) if found[0].isascii() and "-" not in found[0]]
    unknown = [
        found.span()
        for found in words
        if rules.shortest <= len(found[0]) <= rules.longest
        and not any(start <= found.start() < end for start, end in quoted)
        and not found[0].isupper()
        and "'" not in found[0]
        and not is_known(fold(found[0]))
    ]
    return tuple(unknown) if len(unknown) <= min(rules.words, max(1, len(words) // 2)) else ()


def one_slip_away(word: str) -> frozenset[str]:
    """The words that differ from a lower-case word by one letter left out, swapped, changed or added.

    The first letter stays, except that it may swap with the second: who misspells a word knows how it begins.
    """
    splits = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    return frozenset(_edited(splits)) - {word}


def _edited(splits: list[tuple[str, str]]) -> Iterator[str]:
    for head, tail in splits:
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
        if not head:
            continue
        if tail:
            yield head + tail[1:]
        for letter in string.ascii_lowercase:
            yield head + letter + tail
            if tail:
                yield head + letter + tail[1:]


def sounds_like(word: str) -> str:
    """Return a folded word without what transliterations disagree about: breathed h, doubled and long letters.

    Only by this is a name corrected (Duryodana, Duryodhana): one slip away is often somebody else.
    """
    plain = re.sub(r"(?<=[bcdgjkpt])h", "", word.lower()).replace("sh", "s").replace("w", "v")
    return _DOUBLED.sub(r"\1", plain)


def choose_spelling(
    word: str, chunks: Mapping[str, int], english: Collection[str], *, is_name: bool, rules: SpellingRules
) -> str:
    """Return the word that was meant; "" where none or more than one is as likely.

    chunks: how many chunks hold each spelling one slip away. Swapped letters come before other slips, then the word
    that more chunks hold.
    """
    likely = [word for word, held in chunks.items() if held >= rules.chunks]
    if is_name:
        likely = [spelling for spelling in likely if sounds_like(spelling) == sounds_like(word)]
    ranked = sorted(
        likely,
        key=lambda spelling: (sorted(spelling) == sorted(word), chunks[spelling], spelling in english),
        reverse=True,
    )
    if not ranked:
        return ""
    first = ranked[0]
    tied = [
        spelling for spelling in ranked[1:] if (sorted(spelling) == sorted(word)) == (sorted(first) == sorted(word))
    ]
    unsure = any(chunks[other] == chunks[first] and (other in english) == (first in english) for other in tied)
    return "" if unsure else first
