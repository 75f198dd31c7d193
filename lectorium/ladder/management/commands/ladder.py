"""`manage.py ladder`: which model does which job, for what share of the turns, and what today has used."""

import json
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from lectorium.ladder.jobs import BUILTIN, JOBS
from lectorium.ladder.models import Rung
from lectorium.ladder.selectors import ladder_version, spent, unresolved


class Command(BaseCommand):
    help = "Print the model ladder: job, model, share of the turns, row and version, and today's tokens."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        rows, faults = list(ladder()), list(unresolved())
        if options["json"]:
            whole = {"version": ladder_version(), "jobs": rows, "unresolved": faults}
            self.stdout.write(json.dumps(whole, indent=2))
            return
        for row in rows:
            means = f"({JOBS[row['job']].builtin})" if row["model"] == BUILTIN else f"v{row['version']} {row['row']}"
            self.stdout.write(
                f"{row['job']:16} {row['percent']:3} %  {row['model']:32} {row['tokens_today']:>9,} tokens  {means}"
            )
        for fault in faults:
            self.stderr.write(self.style.ERROR(fault))


def ladder() -> Iterator[dict[str, Any]]:
    """Yield each job's enabled rows, then its builtin for the share of the turns that they leave."""
    today = timezone.now().date()
    for job in JOBS:
        left, tokens = 100, spent(today, job).tokens
        for rung in Rung.objects.filter(job=job, enabled=True).order_by("created_at", "pk"):
            left -= rung.percent
            yield {
                "job": job, "model": rung.model, "percent": rung.percent, "row": str(rung.pk), "version": rung.version,
                "fallback": rung.fallback, "prompt_version": rung.prompt_version, "tokens_today": tokens,
            }  # fmt: skip
        if left:
            yield {
                "job": job, "model": BUILTIN, "percent": left, "row": "", "version": 0, "fallback": "",
                "prompt_version": "", "tokens_today": tokens,
            }  # fmt: skip
