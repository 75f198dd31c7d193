"""Judges of citations that are independent of the live verifier, each with a threshold fitted on labelled pairs."""

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
    """A cited text and the sentence it should support."""

    evidence: str
    sentence: str


Measure = Callable[[Sequence[CitationPair]], list[float]]


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges a pair as supported from `bar` on. accepts, rejects: its share of right answers on labelled pairs."""

    name: str
    measure: Measure
    bar: float
    accepts: Share
    rejects: Share

    def supports(self, pairs: Sequence[CitationPair]) -> list[bool]:
        return [value >= self.bar for value in self.measure(pairs)]


def fitted(name: str, measure: Measure, right: Sequence[CitationPair], wrong: Sequence[CitationPair]) -> Judge:
    """A judge whose bar is fitted on every second pair; accepts and rejects are measured on the others."""
    good, bad = measure(right), measure(wrong)
    bar = best_bar(good[::2], bad[::2])
    accepts = Share.of(value >= bar for value in good[1::2])
    return Judge(name, measure, bar, accepts, Share.of(value < bar for value in bad[1::2]))


def best_bar(good: Sequence[float], bad: Sequence[float]) -> float:
    """The threshold with the highest balanced accuracy."""

    def accuracy(bar: float) -> float:
        return Share.of(value >= bar for value in good).value + Share.of(value < bar for value in bad).value

    return max(sorted(set(good)), key=accuracy)


def by_words(pairs: Sequence[CitationPair]) -> list[float]:
    """The share, 0..1, of each sentence's words that occur in its evidence."""
    return [judgement.support for judgement in OverlapCrossEncoder().verify(pairs)]


def by_meaning(embedder: Embedder) -> Measure:
    """The cosine of a sentence with the closest one or two consecutive sentences of its evidence."""

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
