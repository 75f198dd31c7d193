"""Measures how alike two wordings of one question are, and two different questions: the editors' entries' scale."""

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
LEAST_WORDS = 5  # a shorter turn leans on its conversation, so its rewrite is no paraphrase
# What the reference scale's numbers mean (shared/design/pipeline.md, "Similarity scale"): the share, 0..1, of which
# pairs lies below, of paraphrases ("same") or of different questions ("wrong"). Evidence: docs/thresholds.md.
BELOW: Mapping[float, tuple[str, float]] = MappingProxyType(
    {
        0.00: ("wrong", 0.05),
        0.49: ("wrong", 0.95),
        0.65: ("same", 0.25),
        0.70: ("wrong", 0.99),
        0.85: ("wrong", 0.999),
    }
)
TOLD = (0.85, 0.70, 0.60)  # where pins and notes are accepted (CuratedRules)
Points = tuple[tuple[float, float], ...]
Cosines = Mapping[str, NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class QuestionPair:
    """Two questions, and their group, which is not to be split: the conversation, or the article they are about."""

    one: str
    other: str
    group: str


def read_paraphrases(path: Path) -> list[QuestionPair]:
    """Return what people asked and how others reworded it (MTRAG's query_rewrites), verbatim repeats left out."""
    rows = read_objects(path, {"id": str, "last_turn": str, "rewrite": str})
    pairs = [QuestionPair(row["last_turn"], row["rewrite"], row["id"].split("<::>")[0]) for row in rows]
    return [
        pair for pair in pairs if len(pair.one.split()) >= LEAST_WORDS and pair.one.casefold() != pair.other.casefold()
    ]


def read_neighbours(path: Path) -> list[QuestionPair]:
    """Return pairs of questions about one passage that have no answer in common (SQuAD 2): alike, and not the same."""
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
    """Return rising (cosine, reference) points through the scale's operating points, and the evidence for them.

    The shares in the evidence are counted on conversations and articles that a map had not seen. Raises ValueError
    where either kind has fewer groups than there are folds.
    """
    cosines = {"same": _cosines(model, same), "wrong": _cosines(model, wrong)}
    points = _points(cosines)
    unseen = _unseen(cosines, {"same": [pair.group for pair in same], "wrong": [pair.group for pair in wrong]})
    evidence: dict[str, object] = {
        "paraphrases": len(same),
        "wrong_pairs": len(wrong),
        "cross_validated": f"{FOLDS} folds by conversation and article",
    }
    for reference in TOLD:
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
    """Return every cosine on the scale of a map that was made without its pair's group."""
    unseen = {kind: np.zeros(len(values)) for kind, values in cosines.items()}
    splits = (GroupKFold(FOLDS).split(groups[kind], groups=groups[kind]) for kind in cosines)
    for parts in zip(*splits, strict=True):
        fold = dict(zip(cosines, parts, strict=True))
        known, references = zip(*_points({kind: cosines[kind][fold[kind][0]] for kind in fold}), strict=True)
        for kind, (_, test) in fold.items():
            unseen[kind][test] = np.interp(cosines[kind][test], known, references)
    return unseen


def rising(at: Mapping[float, float]) -> Points:
    """Return a map's points, both sides rising, from the cosine of each number of the reference scale."""
    points: list[tuple[float, float]] = []
    for reference, cosine in sorted(at.items()):
        if not points or cosine > points[-1][0]:  # where the kinds overlap, the stricter reading of a cosine holds
            points.append((round(cosine, 4), reference))
    return tuple(points)


def _cosines(model: Embedder, pairs: Sequence[QuestionPair]) -> NDArray[np.float64]:
    one = model.embed_questions([pair.one for pair in pairs])
    other = model.embed_questions([pair.other for pair in pairs])
    found: NDArray[np.float64] = (one * other).sum(axis=1)
    return found
