"""A model's split of a sentence into claims, and when it may stand instead of the rules' (claims.py).

A split decides what is looked for in the sources, so a model may only choose where to cut and which subject to repeat.
"""

import json
from typing import Any

from chat.answering.domain.english.attribution import SAYING
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
# What is denied, doubted, reported or held under a condition means something else without the words around it.
_HELD = DENYING | HEDGES | SAYING | frozenset("if unless whether or only few except rather instead than".split())


class SplitFault(ValueError):
    """What came is no split of the sentence; the message says why, for the record."""


def may_be_split(sentence: str) -> bool:
    """Could a model find claims to part? Not where parting may turn them into something else."""
    words = _folded(sentence)
    return len(_cuts(sentence)) > 1 and len(words) >= 2 * LEAST_WORDS and not _HELD & set(words)


def parse_split(text: str, sentence: str) -> tuple[str, ...]:
    """Return the claims that a model's answer parts the sentence into. Raises SplitFault.

    Each claim is words of the sentence that follow one another, from where it can be cut, under a subject that stands
    before them; together they hold every word but those that join.
    """
    try:
        read = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SplitFault("it is not JSON") from error
    claims = read.get("claims") if isinstance(read, dict) and len(read) == 1 else None
    if not isinstance(claims, list) or not claims or not all(isinstance(claim, str) for claim in claims):
        raise SplitFault('it is not an object with "claims" alone')
    words, cuts = words_in(sentence, str), _cuts(sentence)
    said: set[int] = set()
    for claim in claims:
        places = _places(_folded(claim), words, cuts)
        if not places:
            raise SplitFault(f"the sentence does not say {claim[:200]!r}")
        said |= places
    if left := [one.folded for at, one in enumerate(words) if at not in said and one.folded not in _JOINING]:
        raise SplitFault(f"no claim says {' '.join(left)[:200]!r}")
    return tuple(dict.fromkeys(" ".join(claim.split()) for claim in claims))


def _places(claim: list[str], words: Words, cuts: list[int]) -> set[int]:
    """Return which of the sentence's words a claim says, beside its repeated subject; none where it may not."""
    folded = [word.folded for word in words]
    for lead in range(len(claim) if len(claim) >= LEAST_WORDS else 0):
        run, subject = claim[lead:], claim[:lead]
        for start in cuts:
            end = start + len(run)
            if folded[start:end] != run:
                continue
            if subject:
                stands = any(folded[at : at + lead] == subject for at in _subjects(folded, cuts, start, lead))
            else:
                stands = start == 0 or is_clause_start(" ".join(word.text for word in words[start:end]))
            if stands:
                return set(range(start, end))
    return set()


def _subjects(folded: list[str], cuts: list[int], start: int, lead: int) -> list[int]:
    """Return where a subject of `lead` words may begin: right before "who", else where a claim may begin too."""
    if folded[start - 1] in _RELATIVE:
        return [at for at in (start - 1 - lead,) if at >= 0]
    return [at for at in cuts if at + lead <= start]


def _folded(text: str) -> list[str]:
    return [word.folded for word in words_in(text, str)]


def _cuts(sentence: str) -> list[int]:
    """Return which words a claim may begin with: the first, and each after a comma or a joining word."""
    words = words_in(sentence, str)
    return [
        place
        for place, word in enumerate(words)
        if place == 0
        or words[place - 1].folded in _JOINING
        or any(mark in sentence[words[place - 1].end : word.start] for mark in ",;:—")
    ]
