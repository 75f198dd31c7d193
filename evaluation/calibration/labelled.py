"""Labelled questions, and what is found for them: what the gate and the reference scale are fitted on."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from chat.answering.ask import operator
from chat.answering.domain.evidence.coverage import Calibration
from chat.answering.domain.evidence.pool import Pool, PoolLimits
from chat.answering.domain.evidence.selection import DiscardRules, on_scale
from chat.answering.domain.question import HistoryMessage, QueryPlan, Question, Route
from chat.answering.stages.discard import discard_candidates
from chat.answering.stages.plan import plan_question
from chat.answering.stages.read import read_candidates
from chat.answering.stages.retrieve import retrieve_candidates
from corpus.models import EmbeddingSpace
from evaluation.golden import gold_sets, groups_of, history_of, is_answerable, kind_of
from evaluation.natural import history_of as natural_history
from evaluation.natural import read_half
from lectorium.management.json_lines import read_objects
from lectorium.threads import in_thread

UNFITTED = Calibration(weights={}, bias=0.0, answer_from=0.0, outside_below=0.0)  # measuring decides nothing yet


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question, whether the corpus answers it, its group (not to be split: the lecture), section, kind.

    gold: addresses of the paragraphs that answer it.
    """

    text: str
    history: tuple[HistoryMessage, ...]
    answerable: bool
    group: str
    section: str = ""
    kind: str = "off-topic"
    gold: frozenset[str] = frozenset()

    @property
    def is_near(self) -> bool:
        """Has the question to do with the corpus, whether or not that answers it?"""
        return not self.group.startswith("off-topic")


@dataclass(frozen=True, slots=True)
class RetrievedQuestion:
    """A labelled question, and what the lanes found for it, before anything is cut or read."""

    asked: LabelledQuestion
    plan: QueryPlan
    pool: Pool


def read_golden(path: Path) -> list[LabelledQuestion]:
    """Return the golden set's questions. Address questions are left out: the gate never sees them."""
    rows = read_objects(path, {"id": object, "question": str, "section": str})
    return [
        LabelledQuestion(
            text=row["question"],
            history=tuple(HistoryMessage(role, content) for role, content in history_of(row)),
            answerable=is_answerable(row),
            group=group,
            section=row["section"],
            kind=kind_of(row),
            gold=frozenset(chain.from_iterable(gold_sets(row) if is_answerable(row) else ())),
        )
        for row, group in zip(rows, groups_of(rows), strict=True)
        if row.get("kind") != "address" and row.get("category") != "underspecified"
    ]


def read_natural() -> list[LabelledQuestion]:
    """Return the development half of the natural questions (evaluation/natural)."""
    return [
        LabelledQuestion(
            text=row["question"],
            history=tuple(HistoryMessage(role, content) for role, content in natural_history(row)),
            answerable=bool(row["answerable"]),
            group=f"off-topic {row['id']}" if row["kind"] == "off_topic" else row["source"],
            section="N",
            kind=f"natural, {'answerable' if row['answerable'] else row['kind'].replace('_', ' ')}",
        )
        for row in read_half("dev")
    ]


def read_off_topic(path: Path, number: int) -> list[LabelledQuestion]:
    """Return questions about other matters (SQuAD, evenly spaced through the file): the corpus answers none of them."""
    rows = read_objects(path, {"question": str, "title": object})
    return [LabelledQuestion(row["question"], (), False, f"off-topic {row['title']}") for row in spaced(rows, number)]


def spaced(rows: Sequence[dict[str, Any]], number: int) -> Sequence[dict[str, Any]]:
    """Return at most `number` of the rows, evenly spaced."""
    return rows[:: max(1, len(rows) // number)][:number]


def look(
    questions: Sequence[LabelledQuestion],
    on_each: Callable[[], None],
    space: EmbeddingSpace | None,
    calibration: Calibration,
) -> list[RetrievedQuestion]:
    """Return what is found for each question in a space; those that never reach the gate are left out.

    calibration: whose scales the look-ups go by, in place of the space's own.
    """
    return asyncio.run(_look(questions, on_each, space, calibration))


async def _look(
    questions: Sequence[LabelledQuestion],
    on_each: Callable[[], None],
    space: EmbeddingSpace | None,
    calibration: Calibration,
) -> list[RetrievedQuestion]:
    viewer, found = await in_thread(operator), []
    for question in questions:
        plan = await in_thread(plan_question, Question(question.text, viewer, history=question.history))
        if plan.route in {Route.SINGLE_HOP, Route.MULTI_HOP}:
            pool = await retrieve_candidates(plan, viewer, PoolLimits(), space, calibration=calibration)
            found.append(RetrievedQuestion(question, plan, pool))
        on_each()
    return found


def measure(
    found: Sequence[RetrievedQuestion],
    on_each: Callable[[], None],
    space: EmbeddingSpace | None,
    calibration: Calibration,
) -> list[tuple[LabelledQuestion, dict[str, float]]]:
    """Return each question with the gate's signals for it, the prefloor on this calibration's scale."""
    measured = []
    for question in found:
        candidates = on_scale(question.pool.candidates, calibration.passage)
        pool = read_candidates(question.plan, replace(question.pool, candidates=candidates), DiscardRules())
        evidence = discard_candidates(question.plan, pool, DiscardRules(), space, calibration)
        measured.append((question.asked, dict(evidence.signals)))
        on_each()
    return measured
