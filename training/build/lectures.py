"""Lecture paragraphs, and the split of each lecture. Lectures that golden rows or natural questions are about are never
trained on."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from training.rows import Split, read_json_lines, split_of

WORKS = ("vivekananda", "william_james")
NATURAL = Path(__file__).parents[2] / "evaluation" / "natural"


def lecture_paragraphs(data: Path, work: str) -> Iterator[dict[str, Any]]:
    """A work's paragraphs in order."""
    yield from read_json_lines(data / f"lectures/{work}/paragraphs.jsonl")


def lecture_split(data: Path, lecture: str) -> Split:
    """ "test" for a lecture that is measured on, else "calibrate" for six per cent, else "train"."""
    measured = lecture in golden_lectures(data) or lecture in natural_lectures()
    return "test" if measured else split_of(lecture, calibrate=0.06)


@cache
def natural_lectures() -> frozenset[str]:
    """The real lectures that natural questions are about, whose sources are called `real-` and the lecture's key."""
    named = {row.get("source", "") for path in NATURAL.glob("*.jsonl") for row in read_json_lines(path)}
    return frozenset(name.removeprefix("real-") for name in named if name.startswith("real-"))


@cache
def golden_lectures(data: Path) -> frozenset[str]:
    """Lectures with the evidence of a golden claim or the answer to a golden question."""
    lecture_of = {row["address"]: row["lecture"] for work in WORKS for row in lecture_paragraphs(data, work)}
    return frozenset(lecture_of[address] for address in _golden_addresses(data) if address in lecture_of)


def _golden_addresses(data: Path) -> Iterator[str]:
    for row in read_json_lines(data / "golden/claims_dev.jsonl"):
        yield row["address"]
    for row in read_json_lines(data / "golden/dev.jsonl"):
        yield from row.get("gold") or []
        for alternative in row.get("gold_alternatives") or []:
            yield from alternative
