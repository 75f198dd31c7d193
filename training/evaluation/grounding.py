"""Measures the grounding head, alone and with the guards, and two baselines on the same rows."""

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from chat.answering.guarded_verifier import guard_judgements
from lectorium.providers.cross_encoder import CrossEncoder
from training.build.mining import embed
from training.evaluation.measures import (
    Measure,
    answer_words,
    auroc,
    balanced_accuracy,
    calibration_error,
    called_supported,
    estimate,
    macro,
)
from training.evaluation.testsets import UNSEEN, ClaimRow, ClaimSet

Result = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ScoredTestSet:
    """A test set with the model's support of each row, 0..1, and the score of each baseline.

    guarded: the support from `manage.py verify`, where guards may contradict the model.
    """

    test: ClaimSet
    truth: list[float]
    support: list[float]
    guarded: list[float]
    cosine: list[float]
    overlap: list[float]


def grounding(model: CrossEncoder, sets: Sequence[ClaimSet]) -> Result:
    """{"sets": a row per set, "macros": means over groups of sets}, each measure as an Estimate.

    A row has AUROC, balanced accuracy at the fitted threshold, ECE, and the shares of true and of false claims judged
    supported, for the model alone and with the guards; the AUROC of two baselines; and the AUROC by kind of error.
    """
    scored = []
    for test in sets:
        scored.append(_score(model, test))
        sys.stderr.write(f"  {test.name}: {estimate(auroc, scored[-1].truth, scored[-1].support)}\n")
    measures = _measures(model.calibration.supported)
    return {
        "sets": [
            {"set": own.test.name, "seen": own.test.seen, **_estimates(measures, [own]), "by_kind": _by_kind(own)}
            for own in scored
        ],
        "macros": {
            name: {"sets": [member.test.name for member in group]} | _estimates(measures, group)
            for name, group in _groups(scored).items()
            if group
        },
    }


def _score(model: CrossEncoder, test: ClaimSet) -> ScoredTestSet:
    pairs = [(row.evidence, row.claim) for row in test.rows]
    judged = model.verify(pairs)
    return ScoredTestSet(
        test,
        truth=[float(row.supported) for row in test.rows],
        support=[judgement.support for judgement in judged],
        guarded=[judgement.support for judgement in guard_judgements(pairs, judged)],
        cosine=_cosines(test.rows),
        overlap=[_overlap(row) for row in test.rows],
    )


def _groups(scored: Sequence[ScoredTestSet]) -> dict[str, list[ScoredTestSet]]:
    return {
        "rows not trained on": [test_set for test_set in scored if test_set.test.seen.startswith(UNSEEN)],
        "strictly unseen": [test_set for test_set in scored if test_set.test.seen == UNSEEN],
        "all sets": list(scored),
    }


def _measures(threshold: float) -> dict[str, tuple[Measure, str]]:
    """Each published measure, with the name of the scores it applies to."""
    of_support: dict[str, Measure] = {
        "auroc": auroc,
        "balanced_accuracy": balanced_accuracy(threshold),
        "ece": calibration_error,
        "true_supported": called_supported(threshold, 1.0),
        "false_supported": called_supported(threshold, 0.0),
    }
    return {
        **{name: (measure, "support") for name, measure in of_support.items()},
        **{f"guarded_{name}": (measure, "guarded") for name, measure in of_support.items()},
        "cosine_auroc": (auroc, "cosine"),
        "overlap_auroc": (auroc, "overlap"),
    }


def _estimates(measures: dict[str, tuple[Measure, str]], group: Sequence[ScoredTestSet]) -> Result:
    return {
        name: asdict(macro(measure, [(member.truth, getattr(member, scores)) for member in group]))
        for name, (measure, scores) in measures.items()
    }


def _by_kind(scored: ScoredTestSet) -> Result:
    # AUROC of each kind of error against all supported claims of the set.
    rows = scored.test.rows
    kinds = sorted({row.kind for row in rows if row.kind and not row.supported})
    if len(kinds) < 3:
        return {}
    values = {}
    for kind in kinds:
        kept = [place for place, row in enumerate(rows) if row.supported or row.kind == kind]
        truth = [scored.truth[place] for place in kept]
        alone, with_guards = (
            asdict(estimate(auroc, truth, [scores[place] for place in kept]))
            for scores in (scored.support, scored.guarded)
        )
        errors = sum(row.kind == kind and not row.supported for row in rows)
        values[kind] = alone | {"errors": errors, "guarded": with_guards}
    return values


def _cosines(rows: Sequence[ClaimRow]) -> list[float]:
    evidence, claims = embed([row.evidence for row in rows], tokens=256), embed([row.claim for row in rows])
    return [float(value) for value in (evidence * claims).sum(1)]


def _overlap(row: ClaimRow) -> float:
    words, evidence = answer_words(row.claim), set(answer_words(row.evidence))
    return sum(word in evidence for word in words) / max(1, len(words))
