"""Measures one verifier on the hand-written claims: by its support alone, and through all checks of a turn."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from audit.domain.metrics import Auroc, Share
from evaluation.escape.handwritten.checking import CheckedHandwritten, check_claims
from evaluation.escape.handwritten.claims import HandwrittenClaim, HandwrittenSet
from lectorium.providers.handwritten_bar import HandwrittenBar
from lectorium.providers.protocols import Embedder, Judgement, Verifier
from lectorium.providers.stand_ins.overlap import OverlapCrossEncoder

Pairs = Sequence[tuple[str, str]]  # (evidence, claim)
VERIFIER, OVERLAP, COSINE = "verifier", "word overlap", "cosine"
MEASURES = (VERIFIER, OVERLAP, COSINE)
BATCH = 32


class RememberingVerifier:
    """Asks another verifier once for each pair: the checks and the AUROC need the same judgements."""

    def __init__(self, verifier: Verifier) -> None:
        self._verifier = verifier
        self._judged: dict[tuple[str, str], Judgement] = {}

    @property
    def name(self) -> str:
        return self._verifier.name

    @property
    def passed_bar(self) -> bool:
        return self._verifier.passed_bar

    def verify(self, pairs: Pairs) -> list[Judgement]:
        """Judge (evidence, claim) pairs, in the order given; only those not judged before are handed on."""
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._judged]
        if new:
            self._judged.update(zip(new, self._verifier.verify(new), strict=True))
        return [self._judged[pair] for pair in pairs]


@dataclass(frozen=True, slots=True)
class MeasuredHalf:
    """What a verifier made of one half. scores: of each measure, one a claim, in the order of `checked`."""

    handwritten: HandwrittenSet
    checked: Sequence[CheckedHandwritten]
    scores: Mapping[str, Sequence[float]]

    def auroc(self, measure: str, holds: Callable[[HandwrittenClaim], bool] = lambda claim: True) -> Auroc:
        """Return how well a measure parts true from false among the claims that `holds` keeps."""
        rows = [
            (one, score) for one, score in zip(self.handwritten.claims, self.scores[measure], strict=True) if holds(one)
        ]
        return Auroc.of(
            [score for one, score in rows if not one.is_false], [score for one, score in rows if one.is_false]
        )

    @property
    def bar(self) -> HandwrittenBar:
        """The share of the falsehoods that come out as supported; a trusted verifier's would be shown as verified."""
        false = Share.of(one.is_supported for one in self.checked if one.claim.is_false)
        return HandwrittenBar(round(false.value, 6), self.handwritten.digest)


def measure_half(
    half: HandwrittenSet, verifier: Verifier, embedder: Embedder, on_each: Callable[[], object]
) -> MeasuredHalf:
    """Put every claim of a half through the checks with this verifier, and score it by each measure."""
    judge = RememberingVerifier(verifier)
    checked = asyncio.run(check_claims(half.claims, judge, on_each))
    pairs = [(claim.evidence, claim.text) for claim in half.claims]
    scores = {
        VERIFIER: [
            judgement.support
            for start in range(0, len(pairs), BATCH)
            for judgement in judge.verify(pairs[start:][:BATCH])
        ],
        OVERLAP: [judgement.support for judgement in OverlapCrossEncoder().verify(pairs)],
        COSINE: _cosines(pairs, embedder),
    }
    return MeasuredHalf(half, checked, scores)


def _cosines(pairs: Pairs, embedder: Embedder) -> list[float]:
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    place = {text: row for row, text in enumerate(texts)}
    vectors = embedder.embed_passages(texts)
    return [float(np.dot(vectors[place[evidence]], vectors[place[claim]])) for evidence, claim in pairs]
