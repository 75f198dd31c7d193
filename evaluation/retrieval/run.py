"""Searches for a set's questions, and puts some of them through the whole turn."""

import os
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from audit.domain.outcomes import ANSWERED
from evaluation.domain.ranking import Order
from evaluation.golden import CLOSEST
from evaluation.retrieval.sets import SetQuestion
from evaluation.separation import best_signals
from lectorium.asking import ask, explain

FIRST = 20
GATE = "gate"  # the gate's chance, listed with the signals of a pool
ORDERS = ("dense", "sentence", "lexical", "fused", "reranked")


@dataclass(frozen=True, slots=True)
class SearchedQuestion:
    """A question with the first passages of every order. best: the best value of each signal, and the gate's chance."""

    question: SetQuestion
    orders: Mapping[str, Order]
    best: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class GatedQuestion:
    """A question that went through the whole turn. closest: a closest passage was shown, which is not an answer."""

    answerable: bool
    answered: bool
    cites_gold: bool
    milliseconds: Mapping[str, int]
    kind: str = ""
    closest: bool = False


@dataclass(frozen=True, slots=True)
class Sampling:
    """limit: answerable questions to search for. asked: questions of each kind that go through the whole turn."""

    limit: int
    asked: int
    seed: int


@dataclass(frozen=True, slots=True)
class Run:
    """available: (answerable, unanswerable) questions in the set. load: load averages before and after."""

    available: tuple[int, int]
    searched: Sequence[SearchedQuestion]
    gated: Sequence[GatedQuestion]
    load: tuple[float, float]


def sample(questions: Sequence[SetQuestion], drawn: Sampling) -> tuple[list[SetQuestion], list[SetQuestion]]:
    """Random answerable and unanswerable questions, the latter evenly over their kinds as far as possible."""
    chance = random.Random(drawn.seed)
    yes = [question for question in questions if question.gold]
    kinds = dict.fromkeys(question.kind for question in questions if not question.gold)
    no = []
    for kind in kinds:
        of_kind = [question for question in questions if not question.gold and question.kind == kind]
        no += chance.sample(of_kind, min(drawn.asked // len(kinds), len(of_kind)))
    return chance.sample(yes, min(drawn.limit, len(yes))), no


async def run(questions: Sequence[SetQuestion], drawn: Sampling, mode: str, on_each: Callable[[], object]) -> Run:
    """Search for a sample of the questions, and put equally many of each kind through the whole turn."""
    yes, no = sample(questions, drawn)
    before = os.getloadavg()[0]
    await search(yes[0])  # loads the models before anything is timed
    searched, gated = [], []
    for number, question in enumerate([*yes, *no]):
        if number < drawn.asked or not question.gold:  # asked before the search, which would make the turn faster
            gated.append(gated_question(question, await ask(question.text, mode=mode)))
        searched.append(await search(question))
        on_each()
    answerable = sum(bool(question.gold) for question in questions)
    return Run((answerable, len(questions) - answerable), searched, gated, (before, os.getloadavg()[0]))


async def search(question: SetQuestion) -> SearchedQuestion:
    """Search once and read every order of the pool from the explanation."""
    found = await explain(question.text)
    rows = found["rows"]
    orders = {
        **{lane: _of_lane(rows, lane) for lane in ("dense", "sentence", "lexical")},
        "fused": sorted(rows, key=lambda row: -row["fused"]),
        "reranked": [row for row in rows if row["cut_by"] in (None, "top_k")],  # top_k cuts follow in rank
    }
    held = {name: [frozenset(row["addresses"]) for row in order[:FIRST]] for name, order in orders.items()}
    return SearchedQuestion(question, held, {**best_signals(rows), GATE: found["gate"]["coverage"]})


def gated_question(question: SetQuestion, response: Mapping[str, Any]) -> GatedQuestion:
    cited = {citation["address"] for citation in response["citations"]}
    return GatedQuestion(
        answerable=bool(question.gold),
        answered=response["outcome"] in ANSWERED,
        cites_gold=any(not gold.isdisjoint(cited) for gold in question.gold),
        milliseconds=response["timings_ms"],
        kind=question.kind,
        closest=response["outcome"] == CLOSEST,
    )


def _of_lane(rows: Sequence[dict[str, Any]], lane: str) -> list[dict[str, Any]]:
    return sorted((row for row in rows if lane in row["lanes"]), key=lambda row: row["lanes"][lane])
