"""Which names, numbers and technical terms of a claim its evidence holds (shared/design/pipeline.md, "Term check")."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from chat.answering.domain.numbers import LOOSE_NUMBERS, numbers_in
from chat.answering.domain.words import Word, Words

_ENDINGS = re.compile(r"(?:ians?|ans?|isms?|ists?|ish|ics?|ese|n|s)$")


@dataclass(frozen=True, slots=True)
class ClaimTerm:
    """A term of a claim: "number", "name" or "word" (technical or transliterated), and whether its evidence has it."""

    kind: str
    text: str
    held: bool


@dataclass(frozen=True, slots=True)
class EvidenceTerms:
    """What evidence holds. stems: of its words and of what is known of its source; roots: of its names, less endings;
    folded: its words as they stand; numbers: their values."""

    stems: frozenset[str]
    roots: frozenset[str]
    folded: frozenset[str]
    numbers: frozenset[float]


def evidence_terms(parts: Iterable[Words]) -> EvidenceTerms:
    """Return what several texts hold together."""
    parts = list(parts)
    words = [word for part in parts for word in part]
    return EvidenceTerms(
        frozenset(word.stem for word in words),
        frozenset(root(word) for word in words),
        frozenset(word.folded for word in words),
        frozenset(number.value for part in parts for number in numbers_in(part)),
    )


def terms_of(
    claim: Words, held: EvidenceTerms, *, names: Collection[str] = (), technical: Collection[str] = ()
) -> tuple[ClaimTerm, ...]:
    """Return the terms of a claim, each looked up in its evidence.

    names: folded words known to be names, so that one that opens a sentence counts. technical: stems of the claim that
    are a technical term's; so is any word with diacritics.
    """
    terms = [ClaimTerm("number", _text(claim, one.first, one.last), one.value in held.numbers)
             for one in numbers_in(claim) if one.value not in LOOSE_NUMBERS]  # fmt: skip
    numbered = {place for one in numbers_in(claim) for place in range(one.first, one.last)}
    for place, word in enumerate(claim):
        if place in numbered:
            continue
        kind = _kind(word, names, technical)
        if kind:
            terms.append(ClaimTerm(kind, word.text, _is_held(word, held)))
    return tuple({(term.kind, term.text.casefold()): term for term in terms}.values())


def missing(terms: Sequence[ClaimTerm], *kinds: str) -> tuple[str, ...]:
    """Return the terms of these kinds that the evidence does not hold."""
    return tuple(term.text for term in terms if term.kind in kinds and not term.held)


def names_in(words: Words) -> frozenset[str]:
    """Return the folded words that are written as names somewhere inside a sentence."""
    return frozenset(word.folded for word in words if word.is_name)


def root(word: Word) -> str:
    """Return a name without the ending that makes it a people, a creed or a possessive: Buddhist → buddh."""
    short = _ENDINGS.sub("", word.folded)
    short = short if len(short) >= 4 else word.folded
    return short.rstrip("aeiou") if len(short.rstrip("aeiou")) >= 4 else short


def _kind(word: Word, names: Collection[str], technical: Collection[str]) -> str:
    if word.is_one_of(names):
        return "name"
    return "word" if word.is_content and (not word.text.isascii() or word.stem in technical) else ""


def _is_held(word: Word, held: EvidenceTerms) -> bool:
    return word.folded in held.folded or word.stem in held.stems or root(word) in held.roots


def _text(words: Words, first: int, last: int) -> str:
    return " ".join(word.text for word in words[first:last])
