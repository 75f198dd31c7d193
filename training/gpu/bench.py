"""What every run is measured on: natural development questions, hand-written development claims, held-back rows."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from lectorium.providers.pair_layout import PairLayout
from training.background.bases import Network
from training.evaluation.measures import auroc
from training.gpu.candidates import SOURCE
from training.gpu.kit import DevelopmentClaim
from training.gpu.natural import NaturalCandidates, natural_figures, true_above
from training.gpu.scoring import GroupScores, group_scores
from training.gpu.tokens import TokenCache, TokenGroup
from training.rows import GroundingRow, PassageRow, ReadingRow, Row

WRITTEN, OTHERS = 1200, 1500  # most held-back claims of each kind
WRITTEN_SOURCE = "written_claims"
CLAIM_SHARES = (0.02, 0.10)  # of false claims that a bar accepts


@dataclass(frozen=True, slots=True)
class HeldBackGroups:
    """Groups of the split "calibrate"."""

    candidates: list[TokenGroup]
    written_claims: list[TokenGroup]
    other_claims: list[TokenGroup]


@dataclass(frozen=True, slots=True)
class Bench:
    """The questions and claims with their tokens; the same ones for every run of a kit."""

    asked: Sequence[NaturalCandidates]
    asked_groups: list[TokenGroup]
    claims: Sequence[DevelopmentClaim]
    claim_groups: list[TokenGroup]
    held: HeldBackGroups

    def measure(self, network: Network, layout: PairLayout, device: torch.device) -> dict[str, Any]:
        """All figures of a network, and `score`, by which runs are compared. The network is left in training mode."""
        network.eval()

        def scores(groups: list[TokenGroup]) -> list[GroupScores]:
            return group_scores(network, groups, layout, device)

        natural = natural_figures(self.asked, scores(self.asked_groups))
        claims = claim_figures(self.claims, scores(self.claim_groups))
        held: dict[str, Any] = candidate_figures(self.held.candidates, scores(self.held.candidates))
        for name, groups in (("written_claims", self.held.written_claims), ("other_claims", self.held.other_claims)):
            held[name] = support_auroc([group.label == 0 for group in groups], scores(groups))
        network.train()
        score = natural["ranked"][-1] + (natural["sample"][0] + natural["real"][0]) / 2 + claims["auroc"]
        return {"score": round(score, 4), "natural": natural, "claims": claims, "held": held}


def bench_of(
    asked: Sequence[NaturalCandidates], claims: Sequence[DevelopmentClaim], held: Sequence[Row], tokens: TokenCache
) -> Bench:
    """The bench. held: rows of the split "calibrate"."""
    rng = random.Random(1)
    questions = [
        ReadingRow("natural", "test", candidates.question.question, [PassageRow(text) for text in candidates.clips])
        for candidates in asked
    ]
    judged = [GroundingRow("handwritten", "test", row.claim, row.evidence, "not_supported") for row in claims]
    grounding = [row for row in held if isinstance(row, GroundingRow)]
    written = [row for row in grounding if row.source == WRITTEN_SOURCE]
    others = [row for row in grounding if row.source != WRITTEN_SOURCE]
    return Bench(
        asked,
        tokens.groups(questions),
        claims,
        tokens.groups(judged),
        HeldBackGroups(
            tokens.groups([row for row in held if row.source.startswith(SOURCE)]),
            tokens.groups(rng.sample(written, min(WRITTEN, len(written)))),
            tokens.groups(rng.sample(others, min(OTHERS, len(others)))),
        ),
    )


def claim_figures(claims: Sequence[DevelopmentClaim], scores: Sequence[GroupScores]) -> dict[str, Any]:
    """AUROC of support, the true claims accepted at each of CLAIM_SHARES, and AUROC by kind of falsehood."""
    truth = np.array([float(row.label == "supported") for row in claims])
    support = np.array([score.support[0] for score in scores])
    kinds = np.array([row.kind for row in claims])
    figures: dict[str, Any] = {"auroc": round(auroc(truth, support), 3)}
    for share in CLAIM_SHARES:
        figures[f"true_at_{share:.0%}"] = round(true_above(truth, support, share), 3)
    of_kind = {kind: (truth == 1) | (kinds == kind) for kind in sorted(set(kinds[truth == 0].tolist()))}
    figures["kinds"] = {kind: round(auroc(truth[rows], support[rows]), 2) for kind, rows in of_kind.items()}
    return figures


def candidate_figures(groups: Sequence[TokenGroup], scores: Sequence[GroupScores]) -> dict[str, list[float]]:
    """By source: how often the clip with the answer ranks first, and AUROC of answered questions."""
    figures = {}
    for source in sorted({group.source for group in groups}):
        own = [(group, score) for group, score in zip(groups, scores, strict=True) if group.source == source]
        first = [group.relevant[int(score.relevance.argmax())] == 1 for group, score in own if 1 in group.relevant]
        truth = np.array([float(group.answered) for group, _ in own])
        best = np.array([score.answerability.max() for _, score in own])
        figures[source] = [round(float(np.mean(first)) if first else 0.0, 3), round(auroc(truth, best), 3)]
    return figures


def support_auroc(truth: Sequence[bool], scores: Sequence[GroupScores]) -> float:
    """AUROC of the support of one claim each."""
    return round(auroc(np.array(truth, dtype=float), np.array([score.support[0] for score in scores])), 3)
