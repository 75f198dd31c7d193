"""`manage.py verify IN OUT`: judges claims against evidence; reads and writes JSON lines."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from tqdm import tqdm

from chat.answering.guarded_verifier import GuardedVerifier
from lectorium.management.cross_encoders import provider_errors_reported, ready_verifier
from lectorium.management.json_lines import check_output, read_objects, write_objects
from lectorium.providers.protocols import Judgement, Verifier

BATCH_SIZE = 64
VERDICTS = {"supported": "supported", "contradicted": "contradicted", "not_mentioned": "unsupported"}


class Command(BaseCommand):
    help = "Judge claims: reads {id, evidence, claim}, writes {id, verdict, support, evidence_span}."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("input", type=Path, help="JSON lines with id, evidence and claim")
        parser.add_argument("output", type=Path, help="JSON lines with id, verdict, support (0..1) and evidence_span")

    def handle(self, *args: Any, **options: Any) -> None:
        rows = read_objects(options["input"], {"id": object, "evidence": str, "claim": str})
        check_output(options["output"])
        verifier = GuardedVerifier(ready_verifier())
        with provider_errors_reported():
            count = write_objects(options["output"], judged(verifier, rows))
        self.stderr.write(f"{count} claims judged into {options['output']}")


def judged(verifier: Verifier, rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """One verdict per row, in order."""
    with tqdm(total=len(rows), unit="claim", file=sys.stderr) as progress:
        for start in range(0, len(rows), BATCH_SIZE):
            batch = rows[start : start + BATCH_SIZE]
            found = verifier.verify([(row["evidence"], row["claim"]) for row in batch])
            yield from (_verdict(row, judgement) for row, judgement in zip(batch, found, strict=True))
            progress.update(len(batch))


def _verdict(row: dict[str, Any], judgement: Judgement) -> dict[str, Any]:
    return {
        "id": row["id"],
        "verdict": VERDICTS[judgement.label],
        "support": judgement.support,
        "evidence_span": row["evidence"][slice(*judgement.span)] if judgement.span else None,
    }
