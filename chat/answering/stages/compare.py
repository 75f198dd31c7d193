"""Stage 3, after its end: where the sources that a turn would quote say opposite things, beyond what editors know."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from uuid import NAMESPACE_OID, uuid5

from chat.answering.domain.evidence.conflicts import Conflict, KnownFact, KnownFacts
from chat.answering.domain.evidence.opposition import (
    OppositionRules,
    common_share,
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
    opposed = list(_opposed(pairs))
    settled = settled_evidence([side.passage for pair in opposed for side in pair]) if opposed else []
    found = [
        Conflict(None, f"“{question}”", pair)
        for pair in opposed
        if not any(_holds(pair, evidences) for evidences in settled)
    ]
    return replace(known, conflicts=(*known.conflicts, *found))


def _side(quote: Quote, passage: Passage) -> KnownFact:
    text = quote.answering.text
    return KnownFact(uuid5(NAMESPACE_OID, f"{passage.chunk_id} {text}"), text, text, (passage,))


def _is_recorded(one: KnownFact, other: KnownFact, known: KnownFacts) -> bool:
    """Whether editors recorded a conflict with a side in each of these passages."""
    return any(
        {one.passage, other.passage} <= {passage for side in conflict.sides for passage in side.passages}
        for conflict in known.conflicts
    )


def _opposed(pairs: Sequence[Pair]) -> Iterator[Pair]:
    shares = [common_share(one.content, other.content, lexeme, RULES) for one, other in pairs]
    near = [(share, pair) for share, pair in zip(shares, pairs, strict=True) if share >= RULES.share]
    unsure = []
    for share, (one, other) in near:
        if share >= RULES.by_words and opposed_in_words(one.content, other.content, lexeme):
            yield one, other
        else:
            unsure.append((one, other))
    yield from _opposed_by_reading(unsure)


def _opposed_by_reading(pairs: Sequence[Pair]) -> Iterator[Pair]:
    """The pairs that a verifier finds opposed; none without one that passed the hand-written bar."""
    reader: Verifier = verifier()
    if not pairs or not reader.passed_bar:
        return
    texts = [text for one, other in pairs for text in ((one.content, other.content), (other.content, one.content))]
    try:
        said = reader.verify(texts)
    except ProviderError as error:
        log.warning("sources are not compared: %s", error)
        return
    for pair, there, back in zip(pairs, said[::2], said[1::2], strict=True):
        if opposed_in_reading(there.contradiction, back.contradiction, RULES):
            yield pair


def _holds(pair: Pair, evidences: tuple[str, str]) -> bool:
    """Whether the passages of a pair hold the evidence of two facts, one each."""
    one, other = (side.passage.text for side in pair)
    first, second = evidences
    return (first in one and second in other) or (second in one and first in other)
