"""Measures how alike two wordings of one question are, and two different questions: the editors' entries' scale."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lectorium.management.json_lines import read_objects
from lectorium.providers.protocols import Embedder

Pair = tuple[str, str]
Points = tuple[tuple[float, float], ...]
LEAST_WORDS = 5  # a shorter turn leans on its conversation, so its rewrite is no paraphrase
# What the reference scale's numbers mean (shared/design/pipeline.md, "Similarity scale"): shares of wrong pairs above.
WRONG_ABOVE = {0.85: 0.001, 0.70: 0.01}
WRONG_MATCH = 0.49  # the middle of the wrong pairs' best tenth
PARAPHRASE = 0.65  # the lower quarter of true paraphrases


def read_paraphrases(path: Path) -> list[Pair]:
    """Return what people asked and how others reworded it (MTRAG's query_rewrites), verbatim repeats left out."""
    rows = read_objects(path, {"last_turn": str, "rewrite": str})
    pairs = [(row["last_turn"], row["rewrite"]) for row in rows]
    return [(a, b) for a, b in pairs if len(a.split()) >= LEAST_WORDS and a.casefold() != b.casefold()]


def read_neighbours(path: Path) -> list[Pair]:
    """Return pairs of questions about one passage that have no answer in common (SQuAD 2): alike, and not the same."""
    rows = read_objects(path, {"question": str, "passage_id": object, "answers": list, "is_impossible": object})
    asked = [row for row in rows if not row["is_impossible"]]
    return [
        (a["question"].strip(), b["question"].strip())
        for a, b in pairwise(asked)
        if a["passage_id"] == b["passage_id"] and not set(a["answers"]) & set(b["answers"])
    ]


def phrasing_points(
    model: Embedder, same: Sequence[Pair], different: Sequence[Pair]
) -> tuple[Points, dict[str, object]]:
    """Return rising (cosine, reference) points through the scale's operating points, and the evidence for them."""
    true, wrong = _cosines(model, same), _cosines(model, different)
    at = {reference: float(np.quantile(wrong, 1 - share)) for reference, share in WRONG_ABOVE.items()}
    at[WRONG_MATCH] = float(np.quantile(wrong, 0.95))
    at[PARAPHRASE] = float(np.quantile(true, 0.25))
    at |= {0.0: float(np.quantile(wrong, 0.05)), 1.0: 1.0}
    points = rising(at)
    evidence: dict[str, object] = {"paraphrases": len(same), "wrong_pairs": len(different)}
    for reference in (0.85, 0.70, 0.60):
        bar = float(np.interp(reference, [y for _, y in points], [x for x, _ in points]))
        evidence[f"at {reference:.2f}"] = {
            "cosine": round(bar, 3),
            "paraphrases_above": round(float((true >= bar).mean()), 3),
            "wrong_above": round(float((wrong >= bar).mean()), 4),
        }
    return points, evidence


def rising(at: Mapping[float, float]) -> Points:
    """Return a map's points, both sides rising, from the cosine of each number of the reference scale."""
    points: list[tuple[float, float]] = []
    for reference, cosine in sorted(at.items()):
        if not points or cosine > points[-1][0]:  # where the kinds overlap, the stricter reading of a cosine holds
            points.append((round(cosine, 4), reference))
    return tuple(points)


def _cosines(model: Embedder, pairs: Sequence[Pair]) -> NDArray[np.float64]:
    one, other = (model.embed_questions([pair[side] for pair in pairs]) for side in (0, 1))
    found: NDArray[np.float64] = (one * other).sum(axis=1)
    return found
