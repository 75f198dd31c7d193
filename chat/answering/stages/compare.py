"""Stage 3, after its end: where the sources that a turn would quote say opposite things, beyond what editors know."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from uuid import NAMESPACE_OID, uuid5

from chat.answering.domain.evidence.conflicts import Conflict, KnownFact, KnownFacts
from chat.answering.domain.evidence.opposition import (
    OppositionRules,
    have_one_subject,
    opposed_in_reading,
    opposed_in_words,
)
from chat.answering.domain.evidence.quotation import Quote
from corpus.domain.passage import Passage
from corpus.language import lexeme
from curation.facts.selectors import settled_evidence
from lectorium.providers.errors import ProviderError
from lectorium.providers.protocols import Verifier
from lectorium.providers.registry import verifier

log = logging.getLogger(__name__)
RULES = OppositionRules()
Pair = tuple[KnownFact, KnownFact]


def with_disagreements(
    known: KnownFacts, quotes: Sequence[Quote], passages: Sequence[Passage], question: str
) -> KnownFacts:
    """What editors know, and each conflict between the sentences of two sources that answer the question.

    quotes: the clips that would be quoted; their passages are indexes of `passages`. What editors recorded or settled
    is not compared again.
    """
    sides = [_side(quote, passages[quote.passage]) for quote in quotes]
    pairs = [
        (one, other)
        for one, other in combinations(sides, 2)
        if one.passage.source_id != other.passage.source_id and not _is_recorded(one, other, known)
    ]
    found = are_opposed([(one.content, other.content) for one, other in pairs])
    opposed = [pair for pair, is_opposed in zip(pairs, found, strict=True) if is_opposed]
    settled = settled_evidence([side.passage for pair in opposed for side in pair]) if opposed else []
    conflicts = [
        Conflict(None, f"“{question}”", pair)
        for pair in opposed
        if not any(_holds(pair, evidences) for evidences in settled)
    ]
    return replace(known, conflicts=(*known.conflicts, *conflicts))


def _side(quote: Quote, passage: Passage) -> KnownFact:
    text = quote.answering.text
    return KnownFact(uuid5(NAMESPACE_OID, f"{passage.chunk_id} {text}"), text, text, (passage,))


def _is_recorded(one: KnownFact, other: KnownFact, known: KnownFacts) -> bool:
    """Whether editors recorded a conflict with a side in each of these passages."""
    return any(
        {one.passage, other.passage} <= {passage for side in conflict.sides for passage in side.passages}
        for conflict in known.conflicts
    )


def are_opposed(pairs: Sequence[tuple[str, str]]) -> list[bool]:
    """Whether the sentences of each pair say opposite things: by their words, or else by a verifier that passed the
    hand-written bar."""
    by_words = [opposed_in_words(*pair, lexeme, RULES) for pair in pairs]
    unsure = [
        place for place, pair in enumerate(pairs) if not by_words[place] and have_one_subject(*pair, lexeme, RULES)
    ]
    read = dict(zip(unsure, _are_opposed_by_reading([pairs[place] for place in unsure]), strict=True))
    return [found or read.get(place, False) for place, found in enumerate(by_words)]


def _are_opposed_by_reading(pairs: Sequence[tuple[str, str]]) -> list[bool]:
    reader: Verifier = verifier()
    if not pairs or not reader.passed_bar:
        return [False] * len(pairs)
    try:
        said = reader.verify([texts for first, second in pairs for texts in ((first, second), (second, first))])
    except ProviderError as error:
        log.warning("sources are not compared: %s", error)
        return [False] * len(pairs)
    return [
        opposed_in_reading(there.contradiction, back.contradiction, RULES)
        for there, back in zip(said[::2], said[1::2], strict=True)
    ]


def _holds(pair: Pair, evidences: tuple[str, str]) -> bool:
    """Whether the passages of a pair hold the evidence of two facts, one each."""
    one, other = (side.passage.text for side in pair)
    first, second = evidences
    return (first in one and second in other) or (second in one and first in other)
