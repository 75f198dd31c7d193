"""Asks a set's questions of the product's own search, and some of them of the whole turn."""

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
GATE = "gate"  # beside the signals of a pool, the chance that the gate gives it
ORDERS = ("dense", "sentence", "lexical", "fused", "reranked")


@dataclass(frozen=True, slots=True)
class SearchedQuestion:
    """A question with the first passages of every order, the best of every signal over the pool, and GATE's chance."""

    question: SetQuestion
    orders: Mapping[str, Order]
    best: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class GatedQuestion:
    """A question the whole turn was asked: was it answered, citing a gold passage, and in how many ms a stage?

    closest: it was met by a closest passage, which is no answer.
    """

    answerable: bool
    answered: bool
    cites_gold: bool
    milliseconds: Mapping[str, int]
    kind: str = ""
    closest: bool = False


@dataclass(frozen=True, slots=True)
class Sampling:
    """How many answerable questions to search for, and how many of either kind to put to the whole turn."""

    limit: int
    asked: int
    seed: int


@dataclass(frozen=True, slots=True)
class Run:
    """What asking a set gave. available: (answerable, unanswerable) questions of which these are a sample."""

    available: tuple[int, int]
    sought: Sequence[SearchedQuestion]
    gated: Sequence[GatedQuestion]
    load: tuple[float, float]


def sample(questions: Sequence[SetQuestion], drawn: Sampling) -> tuple[list[SetQuestion], list[SetQuestion]]:
    """Return the questions with an answer to search for, and those without that the turn is asked, by the seed.

    Of every kind without an answer as many are drawn, as far as there are.
    """
    chance = random.Random(drawn.seed)
    yes = [question for question in questions if question.gold]
    kinds = dict.fromkeys(question.kind for question in questions if not question.gold)
    no = []
    for kind in kinds:
        of_kind = [question for question in questions if not question.gold and question.kind == kind]
        no += chance.sample(of_kind, min(drawn.asked // len(kinds), len(of_kind)))
    return chance.sample(yes, min(drawn.limit, len(yes))), no


async def run(questions: Sequence[SetQuestion], drawn: Sampling, mode: str, on_each: Callable[[], object]) -> Run:
    """Search for a sample of the questions, and put as many with an answer as without to the whole turn."""
    yes, no = sample(questions, drawn)
    before = os.getloadavg()[0]
    await seek(yes[0])  # loads the models, so that no question pays for that
    sought, gated = [], []
    for number, question in enumerate([*yes, *no]):
        if number < drawn.asked or not question.gold:  # first: a question just searched for would be answered faster
            gated.append(gate(question, await ask(question.text, mode=mode)))
        sought.append(await seek(question))
        on_each()
    answerable = sum(bool(question.gold) for question in questions)
    return Run((answerable, len(questions) - answerable), sought, gated, (before, os.getloadavg()[0]))


async def seek(question: SetQuestion) -> SearchedQuestion:
    """Search once, and read every order of the pool from the numbers the search explains itself by."""
    found = await explain(question.text)
    rows = found["rows"]
    orders = {
        **{lane: _of_lane(rows, lane) for lane in ("dense", "sentence", "lexical")},
        "fused": sorted(rows, key=lambda row: -row["fused"]),
        "reranked": [row for row in rows if row["cut_by"] in (None, "top_k")],  # the cut ones stand next by rank
    }
    held = {name: [frozenset(row["addresses"]) for row in order[:FIRST]] for name, order in orders.items()}
    return SearchedQuestion(question, held, {**best_signals(rows), GATE: found["gate"]["coverage"]})


def gate(question: SetQuestion, response: Mapping[str, Any]) -> GatedQuestion:
    """Return what the whole turn made of a question."""
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
