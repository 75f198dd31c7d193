"""How far the words of questions alone give away whether a passage answers them. Rows to learn from should not."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.naive_bayes import BernoulliNB
from sklearn.pipeline import make_pipeline

from training.evaluation.measures import auroc

FOLDS = 10


def given_away(rows: Sequence[dict[str, Any]]) -> float:
    """AUROC of naive Bayes over the words of the questions and the first of each, passages held out; 0.5 is nothing.

    rows: with `question`, `answer` and `passage`; of at least FOLDS passages.
    """
    asked = [f"first_{row['question'].split()[0]} {row['question']}" for row in rows]
    answered = np.array([float(row["answer"] is not None) for row in rows])
    model = make_pipeline(CountVectorizer(binary=True, min_df=3), BernoulliNB())
    chances = cross_val_predict(
        model, asked, answered, groups=[row["passage"] for row in rows], cv=GroupKFold(FOLDS), method="predict_proba"
    )
    return auroc(answered, chances[:, 1])
