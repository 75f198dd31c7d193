"""The judges that are not the live verifier, each with a bar fitted on labelled pairs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from audit.domain.metrics import Share
from corpus.domain.text.sentences import sentence_spans
from lectorium.providers.protocols import Embedder
from lectorium.providers.stand_ins.overlap import OverlapCrossEncoder


class CitationPair(NamedTuple):
    """A text that is cited, and the sentence it should support."""

    evidence: str
    sentence: str


Measure = Callable[[Sequence[CitationPair]], list[float]]


@dataclass(frozen=True, slots=True)
class Judge:
    """Calls a pair supported from `bar` on. accepts, rejects: right and wrong pairs it knows for what they are."""

    name: str
    measure: Measure
    bar: float
    accepts: Share
    rejects: Share

    def supports(self, pairs: Sequence[CitationPair]) -> list[bool]:
        return [value >= self.bar for value in self.measure(pairs)]


def fitted(name: str, measure: Measure, right: Sequence[CitationPair], wrong: Sequence[CitationPair]) -> Judge:
    """Return the judge with the bar that parts every other right and wrong pair best; its shares are of the rest."""
    good, bad = measure(right), measure(wrong)
    bar = best_bar(good[::2], bad[::2])
    accepts = Share.of(value >= bar for value in good[1::2])
    return Judge(name, measure, bar, accepts, Share.of(value < bar for value in bad[1::2]))


def best_bar(good: Sequence[float], bad: Sequence[float]) -> float:
    """Return the value from which on the most good and the fewest bad ones lie, their shares weighing alike."""

    def parted(bar: float) -> float:
        return Share.of(value >= bar for value in good).value + Share.of(value < bar for value in bad).value

    return max(sorted(set(good)), key=parted)


def by_words(pairs: Sequence[CitationPair]) -> list[float]:
    """Return the share, 0..1, of each sentence's words that stand in its evidence."""
    return [judgement.support for judgement in OverlapCrossEncoder().verify(pairs)]


def by_meaning(embedder: Embedder) -> Measure:
    """Return a measure: the cosine of a sentence with the closest sentence of its evidence, or two in a row."""

    def measure(pairs: Sequence[CitationPair]) -> list[float]:
        parts = {evidence: _parts(evidence) for evidence, _ in pairs}
        texts = list(
            dict.fromkeys([*(text for found in parts.values() for text in found), *(p.sentence for p in pairs)])
        )
        place = {text: row for row, text in enumerate(texts)}
        vectors = embedder.embed_passages(texts)
        return [
            float(np.max(vectors[[place[part] for part in parts[evidence]]] @ vectors[place[sentence]]))
            for evidence, sentence in pairs
        ]

    return measure


def _parts(text: str) -> list[str]:
    spans = sentence_spans(text)
    pairs = pairwise(spans)
    return [text[start:end] for start, end in spans] + [text[first[0] : last[1]] for first, last in pairs] or [text]
