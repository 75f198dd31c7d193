"""Validates a model's split of a sentence into claims, which may replace the rules of claims.py.

The split decides which claims are checked, so a model may only choose where to cut and which subject to repeat.
"""

import json
from typing import Any

from chat.answering.domain.english.attribution import SPEECH_WORDS
from chat.answering.domain.english.clauses import LEAST_WORDS, is_clause_start
from chat.answering.domain.english.edits import DENYING, HEDGES
from chat.answering.domain.words import Words, words_in

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"claims": {"type": "array", "items": {"type": "string"}}},
    "required": ["claims"],
    "additionalProperties": False,
}
_RELATIVE = frozenset({"who", "which"})
_JOINING = _RELATIVE | frozenset("and but while whereas yet although".split())
# Denials, doubts, reports and conditions change meaning when cut from the words around them.
_INSEPARABLE = (
    DENYING | HEDGES | SPEECH_WORDS | frozenset("if unless whether or only few except rather instead than".split())
)


class SplitFault(ValueError):
    """The model's output is not a valid split; the message gives the reason."""


def may_be_split(sentence: str) -> bool:
    """Whether a model may split the sentence: it is long, has a place to cut, and no denial, hedge or condition."""
    words = _folded(sentence)
    return len(_cuts(sentence)) > 1 and len(words) >= 2 * LEAST_WORDS and not _INSEPARABLE & set(words)


def parse_split(text: str, sentence: str) -> tuple[str, ...]:
    """The claims in a model's JSON output. Raises SplitFault.

    Each claim is a run of the sentence's words that starts where it may be cut, optionally after a subject copied from
    before that run. Together the claims must cover every word but conjunctions and relative pronouns.
    """
    try:
        read = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SplitFault("not JSON") from error
    claims = read.get("claims") if isinstance(read, dict) and len(read) == 1 else None
    if not isinstance(claims, list) or not claims or not all(isinstance(claim, str) for claim in claims):
        raise SplitFault('not an object with only "claims"')
    words, cuts = words_in(sentence, str), _cuts(sentence)
    covered: set[int] = set()
    for claim in claims:
        indexes = _claim_indexes(_folded(claim), words, cuts)
        if not indexes:
            raise SplitFault(f"the sentence does not contain {claim[:200]!r}")
        covered |= indexes
    uncovered = [word.folded for index, word in enumerate(words) if index not in covered]
    if left := [word for word in uncovered if word not in _JOINING]:
        raise SplitFault(f"no claim contains {' '.join(left)[:200]!r}")
    return tuple(dict.fromkeys(" ".join(claim.split()) for claim in claims))


def _claim_indexes(claim: list[str], words: Words, cuts: list[int]) -> set[int]:
    """The indexes of the sentence's words that a claim covers, without its copied subject; empty if invalid."""
    folded = [word.folded for word in words]
    for lead in range(len(claim) if len(claim) >= LEAST_WORDS else 0):
        run, subject = claim[lead:], claim[:lead]
        for start in cuts:
            end = start + len(run)
            if folded[start:end] != run:
                continue
            if subject:
                valid = any(folded[at : at + lead] == subject for at in _subject_starts(folded, cuts, start, lead))
            else:
                valid = start == 0 or is_clause_start(" ".join(word.text for word in words[start:end]))
            if valid:
                return set(range(start, end))
    return set()


def _subject_starts(folded: list[str], cuts: list[int], start: int, lead: int) -> list[int]:
    """Where a subject of `lead` words may start: right before "who" or "which", else at an earlier cut."""
    if folded[start - 1] in _RELATIVE:
        return [at for at in (start - 1 - lead,) if at >= 0]
    return [at for at in cuts if at + lead <= start]


def _folded(text: str) -> list[str]:
    return [word.folded for word in words_in(text, str)]


def _cuts(sentence: str) -> list[int]:
    """Indexes of words that may start a claim: the first, and those after a comma or a joining word."""
    words = words_in(sentence, str)
    return [
        index
        for index, word in enumerate(words)
        if index == 0
        or words[index - 1].folded in _JOINING
        or any(mark in sentence[words[index - 1].end : word.start] for mark in ",;:—")
    ]
