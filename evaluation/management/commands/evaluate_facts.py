"""`manage.py evaluate_facts PART`: measures the guards on stored facts; writes docs/results/facts.md."""

import os
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from evaluation.facts.grounding import CANDIDATES, LabelledCandidate, ground_candidates, grounding_part, read_candidates
from evaluation.facts.one_subject import FORMS, measure_subject, subject_part
from evaluation.facts.pairs import measure_pairs, pairs_part
from evaluation.facts.scan import measure_scan, scan_part
from evaluation.results import publish_part
from lectorium.providers.registry import embedder, verifier

HEAD = """## Guards on stored facts

Facts are grounded before they are saved and compared nightly ([editors](../editors.md#facts)).
"""
PARTS = {
    "grounding": "Grounding before saving",
    "pairs": "Similar facts",
    "scan": "Consistency scan",
    "subject": "Many facts on one subject",
}


class Command(BaseCommand):
    help = "Measure the grounding of facts, or parts of the consistency scan, and write docs/results/facts.md."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("part", choices=tuple(PARTS))
        parser.add_argument("--candidates", type=Path, default=CANDIDATES, help="Of grounding and pairs: JSON lines.")
        parser.add_argument("--facts", type=int, help="Synthetic facts; scan: 100,000, subject: 10,000.")
        parser.add_argument("--planted", type=int, default=1000, help="scan, pairs: planted pairs.")
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        lines = getattr(self, f"_{options['part']}")(options)
        publish_part("facts", HEAD, PARTS[options["part"]], lines, expected=PARTS.values())
        self.stdout.write("\n".join(lines))

    def _grounding(self, options: dict[str, Any]) -> list[str]:
        rows = self._rows(options)
        with tqdm(total=len(rows), unit="candidate") as bar:
            found = list(ground_candidates(rows, bar.update))
        return grounding_part(found, verifier().name, options["candidates"].name)

    def _pairs(self, options: dict[str, Any]) -> list[str]:
        model = embedder()
        found = measure_pairs(model, self._rows(options), options["planted"], options["seed"])
        return pairs_part(found, model.name)

    def _subject(self, options: dict[str, Any]) -> list[str]:
        with tqdm(total=len(FORMS), unit="form") as bar:
            found = measure_subject(options["facts"] or 10_000, bar.update)
        return subject_part(found, verifier().name, _machine())

    def _rows(self, options: dict[str, Any]) -> list[LabelledCandidate]:
        try:
            return read_candidates(options["candidates"])
        except (OSError, ValueError) as error:
            raise CommandError(str(error)) from error

    def _scan(self, options: dict[str, Any]) -> list[str]:
        facts, planted = options["facts"] or 100_000, options["planted"]
        if planted < 1 or facts < 2 * planted:
            raise CommandError("--planted must be at least 1, and --facts at least twice as many.")
        with tqdm(total=facts, unit="fact") as bar:
            found = measure_scan(facts, planted, options["seed"], bar.update)
        return scan_part(found, _machine())


def _machine() -> str:
    return f"{os.cpu_count()} cores with a load of {os.getloadavg()[0]:.1f}"
