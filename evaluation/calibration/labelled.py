"""Labelled questions and the candidates found for them, on which the gate and the reference scale are fitted."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from chat.answering.ask import operator
from chat.answering.domain.evidence.coverage import Calibration
from chat.answering.domain.evidence.evidence import Evidence
from chat.answering.domain.evidence.pool import Pool, PoolLimits
from chat.answering.domain.evidence.quotation import QuotationRules, Quote
from chat.answering.domain.evidence.selection import DiscardRules, on_scale
from chat.answering.domain.question import HistoryMessage, QueryPlan, Question, Route
from chat.answering.stages.discard import discard_candidates
from chat.answering.stages.plan import plan_question
from chat.answering.stages.read import read_candidates
from chat.answering.stages.retrieve import retrieve_candidates
from corpus.models import EmbeddingSpace
from evaluation.golden import gold_sets, groups_of, history_of, is_answerable, kind_of
from evaluation.natural import FITTED, read_half
from evaluation.natural import history_of as natural_history
from lectorium.management.json_lines import read_objects
from lectorium.threads import in_thread

UNFITTED = Calibration(weights={}, bias=0.0, answer_from=0.0, outside_below=0.0)  # for measuring before the fit
SAMPLES = "series:Reading the Bhagavad-gītā: a short course,work:gita-sample"  # the scope of the sample corpus


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question and whether the corpus answers it.

    group: its lecture, which cross-validation does not split. section, kind: as in the golden set. gold: addresses of
    the answering paragraphs. answers: sentences, without their white space, that answer. scope: what is searched; ""
    for everything. served: whether what is shown first holds an answering paragraph or sentence; known once its signals
    are measured.
    """

    text: str
    history: tuple[HistoryMessage, ...]
    answerable: bool
    group: str
    section: str = ""
    kind: str = "off-topic"
    gold: frozenset[str] = frozenset()
    answers: frozenset[str] = frozenset()
    scope: str = ""
    served: bool = False

    @property
    def is_near(self) -> bool:
        """Whether it is about the corpus, answerable or not."""
        return not self.group.startswith("off-topic")


@dataclass(frozen=True, slots=True)
class RetrievedQuestion:
    """A labelled question with its pool as retrieved, before reading and selection."""

    question: LabelledQuestion
    plan: QueryPlan
    pool: Pool


def read_golden(path: Path) -> list[LabelledQuestion]:
    """The golden set's questions without addresses and underspecified ones, which never reach the gate."""
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
    """The natural questions that may be fitted on (evaluation/natural).

    Those about the samples are asked of the samples alone: other lectures on the same book answer many of them too, in
    sentences that nobody marked, and would count as beside the point.
    """
    return [
        LabelledQuestion(
            text=row["question"],
            history=tuple(HistoryMessage(role, content) for role, content in natural_history(row)),
            answerable=bool(row["answerable"]),
            group=f"off-topic {row['id']}" if row["kind"] == "off_topic" else row["source"],
            section="N",
            kind=f"natural, {'answerable' if row['answerable'] else row['kind'].replace('_', ' ')}",
            answers=frozenset(_solid(text) for text in chain(row.get("answers") or (), row.get("also") or ())),
            scope=SAMPLES if row["source"].startswith("sample-") else "",
        )
        for half in FITTED
        for row in read_half(half)
    ]


def read_off_topic(path: Path, number: int) -> list[LabelledQuestion]:
    """Off-topic questions: SQuAD's, evenly spaced through the file. The corpus answers none of them."""
    rows = read_objects(path, {"question": str, "title": object})
    return [LabelledQuestion(row["question"], (), False, f"off-topic {row['title']}") for row in spaced(rows, number)]


def spaced(rows: Sequence[dict[str, Any]], number: int) -> Sequence[dict[str, Any]]:
    """At most `number` of the rows, evenly spaced."""
    return rows[:: max(1, len(rows) // number)][:number]


def retrieve_pools(
    questions: Sequence[LabelledQuestion],
    on_each: Callable[[], None],
    space: EmbeddingSpace | None,
    calibration: Calibration,
) -> list[RetrievedQuestion]:
    """The pool of each question in a space, without questions that never reach the gate.

    calibration: its scales replace those of the space.
    """
    return asyncio.run(_retrieve_pools(questions, on_each, space, calibration))


async def _retrieve_pools(
    questions: Sequence[LabelledQuestion],
    on_each: Callable[[], None],
    space: EmbeddingSpace | None,
    calibration: Calibration,
) -> list[RetrievedQuestion]:
    found = []
    for question in questions:
        viewer = await in_thread(operator, question.scope)
        plan = await in_thread(plan_question, Question(question.text, viewer, history=question.history))
        if plan.route in {Route.SINGLE_HOP, Route.MULTI_HOP}:
            pool = await retrieve_candidates(plan, viewer, PoolLimits(), space, calibration=calibration)
            found.append(RetrievedQuestion(question, plan, pool))
        on_each()
    return found


def measure_signals(
    found: Sequence[RetrievedQuestion],
    on_each: Callable[[], None],
    space: EmbeddingSpace | None,
    calibration: Calibration,
) -> list[tuple[LabelledQuestion, dict[str, float]]]:
    """Each question with the gate's signals, computed with this calibration's scale for the prefloor."""
    measured = []
    for retrieved in found:
        candidates = on_scale(retrieved.pool.candidates, calibration.passage)
        pool = read_candidates(retrieved.plan, replace(retrieved.pool, candidates=candidates), DiscardRules())
        evidence = discard_candidates(retrieved.plan, pool, DiscardRules(), space, calibration)
        served = isinstance(evidence, Evidence) and serves(evidence.clips, retrieved.question)
        measured.append((replace(retrieved.question, served=served), dict(evidence.signals)))
        on_each()
    return measured


def serves(clips: Sequence[Quote], question: LabelledQuestion) -> bool:
    """Whether an answer of these clips, the best first, holds a paragraph or a sentence that answers the question."""
    shown = [sentence for clip in clips[: QuotationRules().max_clips] for sentence in clip.sentences]
    text = _solid("".join(sentence.text for sentence in shown))
    return any(sentence.paragraph in question.gold for sentence in shown) or any(
        answer in text for answer in question.answers
    )


def _solid(text: str) -> str:
    return "".join(text.split())
