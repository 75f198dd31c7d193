"""The card of the hand-written rows: `python -m training card` counts them into training/written/README.md."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from lectorium.report_table import table
from training.build.written import HERE
from training.rows import read_json_lines
from training.wording import given_away

CARD = HERE / "README.md"
COLUMNS = ("file", "rows", "without an answer, or false", "passages or groups", "told by words", "authors")
TEMPLATE = Path(__file__).with_suffix(".md")


def card() -> str:
    """The card, in Markdown."""
    files = table(COLUMNS, _files(), right=COLUMNS[1:5])
    counts = "\n".join([*files, *_kinds("claims_*.jsonl"), *_kinds("questions*.jsonl")])
    return TEMPLATE.read_text(encoding="utf-8").replace("{counts}", counts)


def _files() -> Iterator[Sequence[object]]:
    for path in sorted(HERE.glob("*.jsonl")):
        rows = list(read_json_lines(path))
        authors = Counter(str(row["author"]) for row in rows if "author" in row)
        named = ", ".join(f"{name} ({count:,})" for name, count in sorted(authors.items()))
        yield (
            f"`{path.name}`",
            f"{len(rows):,}",
            f"{sum(map(_is_false, rows)):,}",
            f"{len(set(map(_about, rows))):,}",
            f"{given_away([*rows, *_originals(rows)]):.2f}" if path.name.startswith("questions") else "",
            named,
        )


def _originals(rows: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The answered questions, of other files, that rows are twins of."""
    for row in rows:
        if "twin_of" in row:
            yield {"passage": row["passage"], "question": row["twin_of"], "answer": ""}


def _is_false(row: dict[str, Any]) -> bool:
    return row["label"] not in {"supported", "same"} if "label" in row else row["answer"] is None


def _about(row: dict[str, Any]) -> str:
    return str(row.get("passage") or row["group"])


def _kinds(pattern: str) -> list[str]:
    """A line of how many rows each kind has."""
    rows = [row for path in sorted(HERE.glob(pattern)) for row in read_json_lines(path)]
    counted = Counter(row.get("kind") or "no kind recorded" for row in rows)
    told = ", ".join(f"{kind.replace('_', ' ')} {count:,}" for kind, count in counted.most_common())
    return [f"Kinds of `{pattern}`, {len(rows):,} in all: {told}.", ""]


def write_card() -> Path:
    CARD.write_text(card(), encoding="utf-8")
    return CARD
