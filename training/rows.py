"""The two kinds of training row, and their files: JSON lines, one file per source."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

Spans = list[tuple[int, int]]
GroundingLabel = Literal["supported", "contradicted", "not_mentioned", "not_supported"]
Split = Literal["train", "calibrate", "test"]


@dataclass(frozen=True, slots=True)
class GroundingRow:
    """A claim with evidence. Label "not_supported" is contradicted or not_mentioned, if the source does not say which.

    evidence_spans: character spans of the evidence sentences that decide the label; () if unknown.
    """

    source: str
    split: Split
    claim: str
    evidence: str
    label: GroundingLabel
    kind: str = ""
    evidence_spans: Spans = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PassageRow:
    """One passage of a reading row. None means unknown, and is ignored by that head's loss."""

    text: str
    relevant: bool | None = None
    answerable: bool | None = None
    answer_span: tuple[int, int] | None = None
    evidence_spans: Spans = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ReadingRow:
    """A question with one or more passages that compete for relevance."""

    source: str
    split: Split
    question: str
    passages: list[PassageRow]
    kind: str = ""


Row = GroundingRow | ReadingRow


def share_of(key: str) -> float:
    """A fixed number in 0..1 for a document's key, so that a document is never split."""
    return int(hashlib.sha256(key.encode()).hexdigest()[:8], 16) / 0xFFFFFFFF


def split_of(key: str, *, calibrate: float = 0.05, test: float = 0.0) -> Split:
    """The split of a document by share_of: the first `test` of 0..1, then `calibrate`, the rest for training."""
    share = share_of(key)
    if share < test:
        return "test"
    return "calibrate" if share < test + calibrate else "train"


def read_json_lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def write_rows(path: Path, rows: Iterable[Row]) -> int:
    """Write rows as JSON lines and return their number."""
    path.parent.mkdir(parents=True, exist_ok=True)
    count = 0
    with path.open("w", encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps(asdict(row), ensure_ascii=False) + "\n")
            count += 1
    return count


def read_rows(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8") as lines:
        yield from map(parse_row, lines)


def parse_row(line: str) -> Row:
    data = json.loads(line)
    if "claim" in data:
        spans = [(a, b) for a, b in data.pop("evidence_spans")]
        return GroundingRow(**data, evidence_spans=spans)
    return ReadingRow(**{**data, "passages": [_passage(entry) for entry in data["passages"]]})


def _passage(data: dict[str, Any]) -> PassageRow:
    answer = data["answer_span"]
    return PassageRow(
        text=data["text"],
        relevant=data["relevant"],
        answerable=data["answerable"],
        answer_span=None if answer is None else (answer[0], answer[1]),
        evidence_spans=[(a, b) for a, b in data["evidence_spans"]],
    )
