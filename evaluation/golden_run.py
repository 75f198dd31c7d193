"""The golden suite: asks the running product, scores the answers, and makes a table for docs/results."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from audit.domain.metrics import Share, percentile
from corpus.selectors import corpus_fingerprint
from evaluation.golden import GoldenScore, by_kind, gold_sets, groups_of, history_of, holds_one, kind_of, score, shares
from evaluation.separation import QuestionSignals, separation_lines, signals_of
from lectorium.asking import ask, explain
from lectorium.management.json_lines import read_objects

OnEach = Callable[[], None]
TOP = 10


@dataclass(slots=True)
class GoldenRun:
    """What asking the golden set gave."""

    rows: Sequence[dict[str, Any]]
    scored: list[GoldenScore] = field(default_factory=list)
    found: dict[str, list[bool]] = field(default_factory=dict)
    milliseconds: list[int] = field(default_factory=list)
    sounded: list[QuestionSignals] = field(default_factory=list)


QUESTION = {"id": object, "question": str, "section": str}


def read_rows(path: Path, fields: Mapping[str, type] = MappingProxyType({})) -> list[dict[str, Any]]:
    """Return the rows of a JSONL file, each with at least these fields.

    Raises FileNotFoundError with what to do, CommandError for a bad line.
    """
    if not path.is_file():
        raise FileNotFoundError(f"{path} does not exist; point LECTORIUM_DATA at the evaluation data.")
    return read_objects(path, fields)


async def run_golden(rows: Sequence[dict[str, Any]], mode: str, on_each: OnEach) -> GoldenRun:
    """Ask every golden question in one mode; note also what retrieval has to say of it, and its first ten."""
    golden = GoldenRun(rows)
    for row, group in zip(rows, groups_of(rows), strict=True):
        history = history_of(row)
        response = await ask(row["question"], mode=mode, history=history)
        golden.scored.append(score(row, response))
        golden.milliseconds.append(response["timings_ms"]["total"])
        found = (await explain(row["question"], history=history, mode=mode))["rows"]
        if gold_sets(row):
            golden.found.setdefault(kind_of(row), []).append(_is_found(row, found))
        if heard := signals_of(row, group, found):
            golden.sounded.append(heard)
        on_each()
    return golden


def _is_found(row: Mapping[str, Any], found: Sequence[Mapping[str, Any]]) -> bool:
    addresses = {address for hit in found[:TOP] if hit["cut_by"] is None for address in hit["addresses"]}
    return holds_one(gold_sets(row), addresses)


def golden_report(golden: GoldenRun, mode: str) -> str:
    """Return the page docs/results/golden.md."""
    lines = [
        f"## Golden questions, {mode} mode",
        "",
        f"{len(golden.rows)} questions of `golden/dev.jsonl`, asked of {corpus_fingerprint()}. "
        "Shares with 95 % Wilson intervals. *Found*: every gold paragraph within the ten passages that retrieval puts "
        "first once the cross-encoder has read them. *Gold cited*: answered, and every gold paragraph among the "
        "citations. A *closest passage* is neither an answer nor a refusal. The gate "
        "was calibrated on this set (cross-validated figures in `docs/thresholds.md`), so its "
        "refusals here are in-sample. Read by: `manage.py evaluate golden`.",
        "",
        "| kind | found in 10 | answered | gold cited | closest passage | gold in either | refused, as it should be |",
        "|---|---|---|---|---|---|---|",
    ]
    for kind, scored in by_kind(golden.scored).items():
        lines.append(_line(kind, golden.found.get(kind), scored))
    everywhere = [hit for hits in golden.found.values() for hit in hits]
    lines.append(_line("**all**", everywhere, golden.scored))
    lines += ["", "| goal | at least | measured | met |", "|---|---|---|---|"]
    for name, least, measured in goals(golden.scored):
        lines.append(f"| {name} | {least:.2f} | {measured} | {'yes' if measured.value >= least else 'no'} |")
    lines += ["", *separation_lines(golden.sounded)]
    p50, p95 = (percentile(golden.milliseconds, share) for share in (0.5, 0.95))
    lines += [f"Answer time, one question at a time: p50 {p50} ms, p95 {p95} ms (shared machine, 2 cores)."]
    return "\n".join(lines) + "\n"


def goals(scored: Sequence[GoldenScore]) -> list[tuple[str, float, Share]]:
    """Return (goal, its bar, what was measured); the bars are those of shared/design/evaluation.md."""
    refused = [one for one in scored if not one.answered and not one.closest]
    return [
        ("refusal precision: of what was refused, the share that has no answer here", 0.90,
         Share.of(not one.answerable for one in refused)),
        ("refusal recall: of what has no answer here, the share refused", 0.95,
         Share.of(one.right_refusal for one in scored if not one.answerable)),
    ]  # fmt: skip


def _line(kind: str, found: Sequence[bool] | None, scored: Sequence[GoldenScore]) -> str:
    known = shares(scored)
    columns = ("answered", "answered with gold", "closest", "shown with gold", "refused")
    cells = [known.get(name, "–") for name in columns]
    return f"| {kind} | {Share.of(found) if found else '–'} | " + " | ".join(str(cell) for cell in cells) + " |"
