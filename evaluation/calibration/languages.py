"""Fits from which closeness a question that only the embedder can read gets closest passages."""

from collections.abc import Mapping, Sequence

import numpy as np
from tqdm import tqdm

from corpus.models import EmbeddingSpace
from evaluation.calibration.labelled import UNFITTED, LabelledQuestion, retrieve_pools
from evaluation.natural import read_half

ELSEWHERE = 0.1  # share of a language's off-topic questions that may get closest passages


def language_bars(space: EmbeddingSpace) -> dict[str, float]:
    """The bars by language for the texts in this space, and "" for languages without questions: the highest of them.

    A share of ELSEWHERE of a language's off-topic questions reaches its bar. They are about nothing that a corpus of
    lectures treats, so they need no labels by whoever imports a corpus.
    """
    rows = [row for row in read_half("languages_dev") if row["kind"] == "off_topic"]
    language = {row["question"]: row["language"] for row in rows}
    questions = [LabelledQuestion(row["question"], (), False, f"off-topic {row['id']}") for row in rows]
    cosines: dict[str, list[float]] = {}
    with tqdm(total=len(rows), unit="question", desc="languages") as bar:
        pools = retrieve_pools(questions, bar.update, space, UNFITTED)
    for found in pools:
        cosines.setdefault(language[found.question.text], []).append(found.pool.nearest_cosine)
    return bars_of(cosines)


def bars_of(cosines: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """The bars from the cosines of each off-topic question's closest sentence, by language."""
    bars = {name: round(float(np.quantile(values, 1 - ELSEWHERE)), 4) for name, values in cosines.items()}
    return {**bars, "": max(bars.values())} if bars else {}
