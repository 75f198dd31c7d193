"""The golden suite: asks the product, scores its answers, and reports them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from audit.domain.metrics import Share, percentile
from corpus.selectors import corpus_fingerprint
from evaluation.domain.report_parts import GOAL_COLUMNS, Goal, goal_rows
from evaluation.golden import GoldenScore, by_kind, gold_sets, groups_of, history_of, holds_one, kind_of, score, shares
from evaluation.separation import QuestionSignals, separation_lines, signals_of
from lectorium.asking import ask, explain
from lectorium.management.json_lines import read_objects
from lectorium.report_table import table

OnEach = Callable[[], None]
TOP = 10
COLUMNS = ("kind", "found in 10", "answered", "gold cited", "closest passage", "gold in either", "correctly refused")


@dataclass(slots=True)
class GoldenRun:
    """found: by kind, whether each question's gold was among the first TOP passages."""

    rows: Sequence[dict[str, Any]]
    scored: list[GoldenScore] = field(default_factory=list)
    found: dict[str, list[bool]] = field(default_factory=dict)
    milliseconds: list[int] = field(default_factory=list)
    signals: list[QuestionSignals] = field(default_factory=list)


QUESTION = {"id": object, "question": str, "section": str}


def read_rows(path: Path, fields: Mapping[str, type] = MappingProxyType({})) -> list[dict[str, Any]]:
    """The rows of a JSONL file, each with at least these fields.

    Raises FileNotFoundError with a remedy, and CommandError for an invalid line.
    """
    if not path.is_file():
        raise FileNotFoundError(f"{path} does not exist; point LECTORIUM_DATA at the evaluation data.")
    return read_objects(path, fields)


async def run_golden(rows: Sequence[dict[str, Any]], mode: str, on_each: OnEach) -> GoldenRun:
    """Ask every golden question in one mode, and search for it once more to record signals and the first passages."""
    golden = GoldenRun(rows)
    for row, group in zip(rows, groups_of(rows), strict=True):
        history = history_of(row)
        response = await ask(row["question"], mode=mode, history=history)
        golden.scored.append(score(row, response))
        golden.milliseconds.append(response["timings_ms"]["total"])
        found = (await explain(row["question"], history=history, mode=mode))["rows"]
        if gold_sets(row):
            golden.found.setdefault(kind_of(row), []).append(_is_found(row, found))
        if signals := signals_of(row, group, found):
            golden.signals.append(signals)
        on_each()
    return golden


def _is_found(row: Mapping[str, Any], found: Sequence[Mapping[str, Any]]) -> bool:
    addresses = {address for hit in found[:TOP] if hit["cut_by"] is None for address in hit["addresses"]}
    return holds_one(gold_sets(row), addresses)


def golden_report(golden: GoldenRun, mode: str) -> list[str]:
    """Lines of docs/results/golden.md."""
    rows = [_row(kind, golden.found.get(kind), scored) for kind, scored in by_kind(golden.scored).items()]
    all_found = [hit for hits in golden.found.values() for hit in hits]
    p50, p95 = (percentile(golden.milliseconds, share) for share in (0.5, 0.95))
    return [
        f"## Golden questions, {mode} mode",
        "",
        f"{len(golden.rows)} questions of `golden/dev.jsonl`, asked over {corpus_fingerprint()}. "
        "Shares with 95 % Wilson intervals. *Found*: every gold paragraph is among the first ten passages after the "
        "cross-encoder. *Gold cited*: answered, with every gold paragraph among the citations. A *closest passage* is "
        "neither an answer nor a refusal. The gate was calibrated on this set (cross-validated figures in "
        "`docs/thresholds.md`), so its refusals here are in-sample. Regenerate: `manage.py evaluate golden`.",
        "",
        *table(COLUMNS, [*rows, _row("**all**", all_found, golden.scored)]),
        *table(GOAL_COLUMNS, goal_rows(goals(golden.scored))),
        *separation_lines(golden.signals),
        f"Answer time, one question at a time: p50 {p50} ms, p95 {p95} ms (shared machine, 2 cores).",
    ]


def goals(scored: Sequence[GoldenScore]) -> list[Goal]:
    """The goals of shared/design/evaluation.md."""
    refused = [answer for answer in scored if not answer.answered and not answer.closest]
    return [
        Goal(
            "refusal precision: unanswerable questions, of all refused ones",
            0.90,
            Share.of(not answer.answerable for answer in refused),
        ),
        Goal(
            "refusal recall: refused questions, of all unanswerable ones",
            0.95,
            Share.of(answer.right_refusal for answer in scored if not answer.answerable),
        ),
    ]


def _row(kind: str, found: Sequence[bool] | None, scored: Sequence[GoldenScore]) -> tuple[object, ...]:
    known = shares(scored)
    columns = ("answered", "answered with gold", "closest", "shown with gold", "refused")
    return kind, Share.of(found) if found else "–", *(known.get(name, "–") for name in columns)
