"""The semantic signal of the scan: how well the cosine of two facts tells those that say the same from others."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from corpus.domain.text.folding import fold
from corpus.domain.text.sentences import sentence_spans
from curation.domain.facts.consistency import RULES
from evaluation.calibration.passages import auroc
from evaluation.facts.grounding import LabelledCandidate
from evaluation.facts.planted_clusters import planted_pairs
from lectorium.providers.protocols import Embedder, Matrix
from lectorium.report_table import table

ANCHOR = 0.939
Texts = tuple[str, str]


@dataclass(frozen=True, slots=True)
class PairSignal:
    """Cosines of pairs that say the same, and of pairs that do not. above: how many of each pass the scan's bar."""

    name: str
    same: Sequence[float]
    other: Sequence[float]

    @property
    def area(self) -> float:
        """The share, 0..1, of choices of one pair of each kind in which that which says the same is more similar."""
        return auroc(np.asarray(self.same), np.asarray(self.other))

    def above(self, bar: float) -> tuple[int, int]:
        return sum(cosine > bar for cosine in self.same), sum(cosine > bar for cosine in self.other)


def measure_pairs(embedder: Embedder, rows: Sequence[LabelledCandidate], planted: int, seed: int) -> list[PairSignal]:
    """The signal on synthetic facts, and on claims written by hand beside the sentence that is closest to them."""
    chance = random.Random(seed)  # noqa: S311 - a reproducible choice
    pairs = list(planted_pairs(planted, chance))
    texts = {
        verdict: [(pair.facts[0].content, pair.facts[1].content) for pair in pairs if pair.verdict == verdict]
        for verdict in {pair.verdict for pair in pairs}
    }
    true, false = ([_beside(row) for row in rows if (row.label == "supported") is side] for side in (True, False))
    strangers = [(claim, true[at - 7][1]) for at, (claim, _) in enumerate(true)]
    same = _cosines(embedder, texts["equivalent"])
    written = _cosines(embedder, true)
    return [
        PairSignal("synthetic: equivalent against distinct", same, _cosines(embedder, texts["distinct"])),
        PairSignal("synthetic: equivalent against contradiction", same, _cosines(embedder, texts["contradiction"])),
        PairSignal("written: true claims against claims about something else", written, _cosines(embedder, strangers)),
        PairSignal("written: true claims against falsehoods beside the same", written, _cosines(embedder, false)),
    ]


def _beside(row: LabelledCandidate) -> Texts:
    """A claim with the sentence of its paragraph that shares most words."""
    words = set(fold(row.claim).split())
    sentences = [row.evidence[start:end] for start, end in sentence_spans(row.evidence)]
    return row.claim, max(sentences, key=lambda sentence: len(words & set(fold(sentence).split())))


def _cosines(embedder: Embedder, pairs: Sequence[Texts]) -> list[float]:
    one, other = (_vectors(embedder, [pair[side] for pair in pairs]) for side in (0, 1))
    return [float(cosine) for cosine in np.einsum("ij,ij->i", one, other)]


def _vectors(embedder: Embedder, texts: list[str]) -> Matrix:
    return embedder.embed_passages(texts)


def pairs_part(found: Sequence[PairSignal], embedder: str) -> list[str]:
    """Lines of docs/results/facts.md."""
    rows = [
        (signal.name, len(signal.same), len(signal.other), f"{signal.area:.3f}", *signal.above(RULES.similar))
        for signal in found
    ]
    columns = ("pairs", "same", "other", "AUC", f"same above {RULES.similar}", f"other above {RULES.similar}")
    return [
        f"Cosines of two facts by `{embedder}`. AUC: the chance that a pair that says the same is more similar than "
        f"one that does not. The anchor of the issue is {ANCHOR}. The signal only makes a pair suspect; the judge "
        "decides. A written pair is a claim of candidates.jsonl with the sentence of its paragraph that shares most "
        "words. Regenerate: `manage.py evaluate_facts pairs`.",
        "",
        *table(columns, rows, right=columns[1:]),
    ]
