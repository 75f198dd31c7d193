"""Which pairs of sentences the product finds to say opposite things: hand-written pairs, half of them opposite."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from audit.domain.metrics import Share
from chat.answering.stages.compare import are_opposed
from evaluation.results import publish
from evaluation.stored_run import SuiteFigures
from lectorium.management.json_lines import read_objects
from lectorium.providers.registry import verifier
from lectorium.report_table import table

HALVES = ("dev", "unseen")
FIELDS = {"half": str, "question": str, "one": str, "other": str, "opposite": bool}


def opposition_suite(options: Mapping[str, Any]) -> SuiteFigures:
    """Compare every pair; `options` are those of every suite, and none counts here."""
    rows = read_objects(Path(__file__).with_suffix(".jsonl"), FIELDS)
    shares = found_shares(rows, are_opposed([(row["one"], row["other"]) for row in rows]))
    return SuiteFigures(
        {"opposition": {name: [share.hits, share.total] for name, share in shares.items()}},
        lambda: publish("opposition", opposition_section(shares)),
        page="opposition",
        shares={"opposition": shares},
    )


def found_shares(rows: Sequence[Mapping[str, Any]], found: Sequence[bool]) -> dict[str, Share]:
    """The share found to be opposed, by half and kind. found: one value a row."""
    return {
        f"{half}, {kind}": Share.of(
            said
            for row, said in zip(rows, found, strict=True)
            if row["half"] == half and row["opposite"] is (kind == "opposite")
        )
        for half in HALVES
        for kind in ("opposite", "may both hold")
    }


def opposition_section(shares: Mapping[str, Share]) -> list[str]:
    """Lines of docs/results/opposition.md."""
    return [
        "## Sources that say opposite things",
        "",
        "Pairs of sentences about one question, written by hand (`evaluation/opposition.jsonl`); a turn compares thus "
        "the sentences of two sources that answer. The rules were chosen on the development half; nothing was "
        f"fitted on the unseen half. Reader: {verifier().name}. Shares with 95 % Wilson intervals. "
        "Regenerate: `manage.py evaluate opposition`.",
        "",
        *table(("pairs", "found to be opposed"), shares.items()),
    ]
