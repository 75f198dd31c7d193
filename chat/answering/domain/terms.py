"""Which names, numbers and technical terms of a claim its evidence contains. Source: shared/design/pipeline.md."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from chat.answering.domain.numbers import LOOSE_NUMBERS, numbers_in
from chat.answering.domain.words import Word, Words

_DIVIDED = re.compile(r"\d+(?:[.:/–-]\d+)+")  # 5:30, 9-12, verse 2.10: the same only as it is written
_ENDINGS = re.compile(r"(?:ians?|ans?|isms?|ists?|ish|ics?|ese|n|s)$")


@dataclass(frozen=True, slots=True)
class ClaimTerm:
    """kind: "number", "name" or "word" (technical or transliterated). held: whether the evidence contains it."""

    kind: str
    text: str
    held: bool


@dataclass(frozen=True, slots=True)
class EvidenceTerms:
    """The terms of some evidence.

    stems: of its words and of its source's metadata. roots: of its names, without endings. folded: its words. numbers:
    their values.
    """

    stems: frozenset[str]
    roots: frozenset[str]
    folded: frozenset[str]
    numbers: frozenset[float]


def evidence_terms(parts: Iterable[Words]) -> EvidenceTerms:
    """The terms of several texts together."""
    parts = list(parts)
    words = [word for part in parts for word in part]
    return EvidenceTerms(
        frozenset(word.stem for word in words),
        frozenset(root(word) for word in words),
        frozenset(word.folded for word in words),
        frozenset(number.value for part in parts for number in numbers_in(part)),
    )


def terms_of(
    claim: Words, evidence: EvidenceTerms, *, names: Collection[str] = (), technical: Collection[str] = ()
) -> tuple[ClaimTerm, ...]:
    """The terms of a claim, each looked up in its evidence.

    names: folded words known to be names, so that a name at the start of a sentence counts. technical: stems of
    technical terms in the claim. Words with diacritics are always technical.
    """
    numbers = list(numbers_in(claim))
    terms = [
        ClaimTerm("number", _text(claim, number.first, number.last), number.value in evidence.numbers)
        for number in numbers
        if number.value not in LOOSE_NUMBERS
    ]
    in_numbers = {index for number in numbers for index in range(number.first, number.last)}
    for index, word in enumerate(claim):
        if _DIVIDED.fullmatch(word.text):
            terms.append(ClaimTerm("number", word.text, word.folded in evidence.folded))
        elif index not in in_numbers and (kind := _kind(word, names, technical)):
            terms.append(ClaimTerm(kind, word.text, _is_in_evidence(word, evidence)))
    return tuple({(term.kind, term.text.casefold()): term for term in terms}.values())


def missing(terms: Sequence[ClaimTerm], *kinds: str) -> tuple[str, ...]:
    """The terms of these kinds that the evidence does not contain."""
    return tuple(term.text for term in terms if term.kind in kinds and not term.held)


def names_in(words: Words) -> frozenset[str]:
    """The folded words that are written as names within a sentence."""
    return frozenset(word.folded for word in words if word.is_name)


def root(word: Word) -> str:
    """A name without the ending of a people, a creed or a possessive: Buddhist → buddh."""
    short = _ENDINGS.sub("", word.folded)
    short = short if len(short) >= 4 else word.folded
    return short.rstrip("aeiou") if len(short.rstrip("aeiou")) >= 4 else short


def _kind(word: Word, names: Collection[str], technical: Collection[str]) -> str:
    if word.is_one_of(names):
        return "name"
    return "word" if word.is_content and (not word.text.isascii() or word.stem in technical) else ""


def _is_in_evidence(word: Word, evidence: EvidenceTerms) -> bool:
    return word.folded in evidence.folded or word.stem in evidence.stems or root(word) in evidence.roots


def _text(words: Words, first: int, last: int) -> str:
    return " ".join(word.text for word in words[first:last])
