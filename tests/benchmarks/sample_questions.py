"""Natural questions about the sample lectures, which every site with the samples can be asked."""

import json
from pathlib import Path

PATH = Path(__file__).resolve().parents[2] / "evaluation" / "natural" / "dev.jsonl"


def standalone_questions():
    """The questions of evaluation/natural/dev.jsonl about the samples that need no history."""
    rows = [json.loads(line) for line in PATH.read_text(encoding="utf-8").splitlines()]
    return [row["question"] for row in rows if row["source"].startswith("sample-") and not row.get("history")]
