"""Measures the grounding head, with two baselines on the same rows."""

import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from lectorium.providers.cross_encoder import CrossEncoder
from training.build.mining import embed
from training.measures import answer_words, auroc, balanced_accuracy, calibration_error, estimate
from training.testsets import Claim, ClaimSet

Result = dict[str, Any]


def grounding(model: CrossEncoder, sets: Sequence[ClaimSet]) -> list[Result]:
    """Return one row a set: AUROC, balanced accuracy at the frozen threshold, ECE, and two baselines."""
    found = []
    for test in sets:
        truth = [float(row.supported) for row in test.rows]
        support = [judgement.support for judgement in model.verify([(row.evidence, row.claim) for row in test.rows])]
        found.append(
            {
                "set": test.name,
                "seen": test.seen,
                "auroc": asdict(estimate(auroc, truth, support)),
                "balanced_accuracy": asdict(estimate(balanced_accuracy(model.calibration.supported), truth, support)),
                "ece": asdict(estimate(calibration_error, truth, support)),
                "cosine_auroc": asdict(estimate(auroc, truth, _cosines(test.rows))),
                "overlap_auroc": asdict(estimate(auroc, truth, [_overlap(row) for row in test.rows])),
                "by_kind": _by_kind(test.rows, support),
            }
        )
        sys.stderr.write(f"  {test.name}: {estimate(auroc, truth, support)}\n")
    return found


def _by_kind(rows: Sequence[Claim], support: Sequence[float]) -> dict[str, float]:
    # AUROC of each kind of error against all supported claims of the set.
    kinds = sorted({row.kind for row in rows if row.kind and not row.supported})
    if len(kinds) < 3:
        return {}
    values = {}
    for kind in kinds:
        kept = [
            (float(row.supported), score)
            for row, score in zip(rows, support, strict=True)
            if row.supported or row.kind == kind
        ]
        truth, scores = zip(*kept, strict=True)
        values[kind] = round(auroc(np.array(truth), np.array(scores)), 3)
    return values


def _cosines(rows: Sequence[Claim]) -> list[float]:
    evidence, claims = embed([row.evidence for row in rows], tokens=256), embed([row.claim for row in rows])
    return [float(value) for value in (evidence * claims).sum(1)]


def _overlap(row: Claim) -> float:
    words, evidence = answer_words(row.claim), set(answer_words(row.evidence))
    return sum(word in evidence for word in words) / max(1, len(words))
