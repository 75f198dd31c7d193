"""`manage.py calibrate`: fit the coverage gate for the active embedder, and store it with its evidence."""

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from chat.calibrating import fit, measure, read_golden, read_off_topic
from chat.calibrations import calibration_for, calibration_path
from chat.domain.coverage import Calibration
from chat.phrasings import phrasing_points, read_neighbours, read_paraphrases
from lectorium.providers.registry import embedder

OFF_TOPIC = 300


class Command(BaseCommand):
    help = "Fit the coverage gate on labelled questions asked of the imported lectures (LECTORIUM_DATA)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--budget", type=float, default=0.15, help="Share of unanswerable near misses that may be answered, 0..1."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        golden = settings.DATA_DIR / "golden" / "dev.jsonl"
        squad = settings.DATA_DIR / "qa" / "squad2" / "questions_dev.jsonl"
        rewrites = settings.DATA_DIR / "qa" / "mtrag" / "query_rewrites.jsonl"
        for path in (golden, squad, rewrites):
            if not path.is_file():
                raise CommandError(f"{path} does not exist; point LECTORIUM_DATA at the evaluation data.")
        questions = read_golden(golden) + read_off_topic(squad, OFF_TOPIC)
        with tqdm(total=len(questions), unit="question") as bar:
            measured = measure(questions, lambda: bar.update())
        calibration = with_phrasings(fit(measured, options["budget"], (golden, squad)), rewrites, squad)
        path = calibration_path(embedder().name)
        path.write_text(json.dumps(asdict(calibration), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        calibration_for.cache_clear()
        self.stdout.write(json.dumps(calibration.evidence, indent=1))
        self.stdout.write(f"Stored in {path.name}.")


def with_phrasings(calibration: Calibration, rewrites: Path, squad: Path) -> Calibration:
    """Return the calibration with the scale on which editors' entries are accepted, and its evidence."""
    points, evidence = phrasing_points(embedder(), read_paraphrases(rewrites), read_neighbours(squad))
    return replace(calibration, phrasing=points, evidence={**calibration.evidence, "phrasing": evidence})
