"""Measures one verifier on the hand-written claims: its support alone, and through all checks of a turn."""

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


class CachingVerifier:
    """Caches the judgements of a verifier, since the checks and the AUROC need the same ones."""

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
        """Judgements of (evidence, claim) pairs in their order; only new pairs are passed on."""
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._judged]
        if new:
            self._judged.update(zip(new, self._verifier.verify(new), strict=True))
        return [self._judged[pair] for pair in pairs]


@dataclass(frozen=True, slots=True)
class MeasuredHalf:
    """One half as judged by a verifier. scores: by measure, one per claim, in the order of `checked`."""

    handwritten: HandwrittenSet
    checked: Sequence[CheckedHandwritten]
    scores: Mapping[str, Sequence[float]]

    def auroc(self, measure: str, holds: Callable[[HandwrittenClaim], bool] = lambda claim: True) -> Auroc:
        """AUROC of a measure, true against false, over the claims for which `holds`."""
        pairs = zip(self.handwritten.claims, self.scores[measure], strict=True)
        rows = [(claim.is_false, score) for claim, score in pairs if holds(claim)]
        return Auroc.of(
            [score for is_false, score in rows if not is_false], [score for is_false, score in rows if is_false]
        )

    @property
    def bar(self) -> HandwrittenBar:
        return HandwrittenBar(round(self.falsehoods_supported.value, 6), self.handwritten.digest)

    @property
    def falsehoods_supported(self) -> Share:
        """Falsehoods judged as supported, which a trusted verifier would show as verified."""
        return Share.of(checked.is_supported for checked in self.checked if checked.claim.is_false)

    @property
    def falsehoods_shown(self) -> Share:
        return Share.of(checked.is_shown for checked in self.checked if checked.claim.is_false)

    @property
    def truths_withheld(self) -> Share:
        return Share.of(not checked.is_shown for checked in self.checked if not checked.claim.is_false)


def measure_half(
    half: HandwrittenSet, verifier: Verifier, embedder: Embedder, on_each: Callable[[], object]
) -> MeasuredHalf:
    """Run every claim of a half through the checks with this verifier, and score it by each measure."""
    judge = CachingVerifier(verifier)
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
