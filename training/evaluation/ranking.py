"""Measures the relevance head: first-stage order against reranked order."""

import random
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from lectorium.providers.cross_encoder import CrossEncoder
from training.build.mining import embed
from training.build.reading import SQUAD2_TEST
from training.evaluation.measures import estimate, mean, ndcg_at_10, reciprocal_rank
from training.evaluation.testsets import Ranking, hotpot_rankings, lecture_questions, meeting_rankings, squad_questions

Result = dict[str, Any]


def relevance(model: CrossEncoder, data: Path, *, count: int) -> Result:
    """nDCG@10 and MRR by order, for each set. First stage: cosine + tf-idf, top 20."""
    squad, questions = squad_questions(data, SQUAD2_TEST)
    asked = [(row["question"], {row["passage_id"]}) for row in questions if not row["is_impossible"]]
    lectures, golden = lecture_questions(data)
    sets = {
        "SQuAD 2, held-back articles": _first_stage(squad, random.Random(7).sample(asked, min(count, len(asked)))),
        "golden dev over the lectures": _first_stage(lectures, golden),
    }
    found = {name: _ranked(model, *stage) for name, stage in sets.items()}
    for name, rankings in {
        "HotpotQA, ten paragraphs": hotpot_rankings(data, count),
        "QMSum val, stretches of one meeting": meeting_rankings(data, count),
    }.items():
        found[name] = _ranked(model, rankings, [_likeness(r.question, r.passages) for r in rankings])
    return found


def _first_stage(
    passages: dict[str, str], asked: Sequence[tuple[str, set[str]]]
) -> tuple[list[Ranking], list[list[float]]]:
    names = list(passages)
    likeness = _likenesses([question for question, _ in asked], list(passages.values()))
    rankings, scores = [], []
    for (question, gold), row in zip(asked, likeness, strict=True):
        top = np.argsort(-row)[:20]
        places = {place for place, index in enumerate(top) if names[index] in gold}
        rankings.append(Ranking(question, [passages[names[index]] for index in top], places))
        scores.append([float(row[index]) for index in top])
    return rankings, scores


def _likeness(question: str, passages: Sequence[str]) -> list[float]:
    return [float(value) for value in _likenesses([question], passages)[0]]


def _likenesses(questions: Sequence[str], passages: Sequence[str]) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer

    words = TfidfVectorizer(sublinear_tf=True, stop_words="english")
    shared = words.fit_transform(passages)
    cosine = embed(questions, tokens=64) @ embed(passages, tokens=128).T
    return cosine + (words.transform(questions) @ shared.T).toarray()


def _ranked(model: CrossEncoder, rankings: Sequence[Ranking], first: Sequence[Sequence[float]]) -> Result:
    orders: dict[str, list[list[bool]]] = {"first stage": [], "reranked": [], "both": []}
    for ranking, likeness in zip(rankings, first, strict=True):
        scores = np.array(model.rerank(ranking.question, ranking.passages))
        for name, key in (
            ("first stage", np.array(likeness)),
            ("reranked", scores),
            ("both", _standard(scores) + _standard(np.array(likeness))),
        ):
            orders[name].append([int(place) in ranking.gold for place in np.argsort(-key, kind="stable")])
    gold = [max(1, len(ranking.gold)) for ranking in rankings]
    return {
        name: {
            "ndcg@10": _average([ndcg_at_10(hits, n) for hits, n in zip(rows, gold, strict=True)]),
            "mrr": _average([reciprocal_rank(hits) for hits in rows]),
        }
        for name, rows in orders.items()
    }


def _standard(values: Any) -> Any:
    return (values - values.mean()) / (values.std() + 1e-9)


def _average(values: Sequence[float]) -> Result:
    return asdict(estimate(mean, [0.0] * len(values), values, rounds=200))
