"""Fits the scale on which pins and notes match, from cosines of paraphrases and of different questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GroupKFold

from lectorium.management.json_lines import read_objects
from lectorium.providers.protocols import Embedder

FOLDS = 5
LEAST_WORDS = 5  # a shorter turn depends on its conversation, so its rewrite is not a paraphrase
# The reference scale (shared/design/pipeline.md, "Similarity scale"): at each of its values, the share of paraphrases
# ("same") or of different questions ("wrong") that lies below. Evidence: docs/thresholds.md.
BELOW: Mapping[float, tuple[str, float]] = MappingProxyType(
    {
        0.00: ("wrong", 0.05),
        0.49: ("wrong", 0.95),
        0.65: ("same", 0.25),
        0.70: ("wrong", 0.99),
        0.85: ("wrong", 0.999),
    }
)
REPORTED = (0.85, 0.70, 0.60)  # thresholds of pins and notes (CuratedRules)
Points = tuple[tuple[float, float], ...]
Cosines = Mapping[str, NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class QuestionPair:
    """Two questions. group: their conversation or article, which cross-validation does not split."""

    first: str
    second: str
    group: str


def read_paraphrases(path: Path) -> list[QuestionPair]:
    """Questions and their rewrites by other people (MTRAG's query_rewrites), without verbatim copies."""
    rows = read_objects(path, {"id": str, "last_turn": str, "rewrite": str})
    pairs = [QuestionPair(row["last_turn"], row["rewrite"], row["id"].split("<::>")[0]) for row in rows]
    return [
        pair
        for pair in pairs
        if len(pair.first.split()) >= LEAST_WORDS and pair.first.casefold() != pair.second.casefold()
    ]


def read_neighbours(path: Path) -> list[QuestionPair]:
    """Pairs of different questions about the same passage: they share no answer (SQuAD 2)."""
    fields = {"question": str, "title": str, "passage_id": object, "answers": list, "is_impossible": object}
    asked = [row for row in read_objects(path, fields) if not row["is_impossible"]]
    return [
        QuestionPair(a["question"].strip(), b["question"].strip(), a["title"])
        for a, b in pairwise(asked)
        if a["passage_id"] == b["passage_id"] and not set(a["answers"]) & set(b["answers"])
    ]


def phrasing_points(
    model: Embedder, same: Sequence[QuestionPair], wrong: Sequence[QuestionPair]
) -> tuple[Points, dict[str, object]]:
    """Rising (cosine, reference) points, and their evidence, cross-validated by conversation and article.

    Raises ValueError if either kind has fewer groups than FOLDS.
    """
    cosines = {"same": _cosines(model, same), "wrong": _cosines(model, wrong)}
    points = _points(cosines)
    unseen = _unseen(cosines, {"same": [pair.group for pair in same], "wrong": [pair.group for pair in wrong]})
    evidence: dict[str, object] = {
        "paraphrases": len(same),
        "wrong_pairs": len(wrong),
        "cross_validated": f"{FOLDS} folds by conversation and article",
    }
    for reference in REPORTED:
        bar = float(np.interp(reference, [y for _, y in points], [x for x, _ in points]))
        evidence[f"at {reference:.2f}"] = {
            "cosine": round(bar, 3),
            "paraphrases_above": round(float((unseen["same"] >= reference).mean()), 3),
            "wrong_above": round(float((unseen["wrong"] >= reference).mean()), 4),
        }
    return points, evidence


def _points(cosines: Cosines) -> Points:
    return rising({at: float(np.quantile(cosines[kind], share)) for at, (kind, share) in BELOW.items()} | {1.0: 1.0})


def _unseen(cosines: Cosines, groups: Mapping[str, Sequence[str]]) -> Cosines:
    """Every cosine on a scale that was fitted without the pair's group."""
    unseen = {kind: np.zeros(len(values)) for kind, values in cosines.items()}
    splits = (GroupKFold(FOLDS).split(groups[kind], groups=groups[kind]) for kind in cosines)
    for parts in zip(*splits, strict=True):
        fold = dict(zip(cosines, parts, strict=True))
        known, references = zip(*_points({kind: cosines[kind][fold[kind][0]] for kind in fold}), strict=True)
        for kind, (_, test) in fold.items():
            unseen[kind][test] = np.interp(cosines[kind][test], known, references)
    return unseen


def rising(at: Mapping[float, float]) -> Points:
    """Points (cosine, reference) that rise on both sides, from the cosine at each reference value."""
    points: list[tuple[float, float]] = []
    for reference, cosine in sorted(at.items()):
        if not points or cosine > points[-1][0]:  # where kinds overlap, keep the lower reference value
            points.append((round(cosine, 4), reference))
    return tuple(points)


def _cosines(model: Embedder, pairs: Sequence[QuestionPair]) -> NDArray[np.float64]:
    first = model.embed_questions([pair.first for pair in pairs])
    second = model.embed_questions([pair.second for pair in pairs])
    cosines: NDArray[np.float64] = (first * second).sum(axis=1)
    return cosines
