import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from lectorium.ladder.jobs import BUILTIN, JOBS, NOT_USED
from lectorium.ladder.models import Budget, Rung
from lectorium.ladder.selectors import ladder_version, levels, spent, unresolved


class Command(BaseCommand):
    help = (
        "Print the model ladder: job, model, share of the turns, row and version, today's tokens and cost, and budgets."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        rows, faults, budgets = list(ladder()), list(unresolved()), list(levels(Budget.objects.all()))
        if options["json"]:
            whole = {
                "version": ladder_version(), "jobs": rows, "budgets": [asdict(level) for level in budgets],
                "unresolved": faults,
            }  # fmt: skip
            self.stdout.write(json.dumps(whole, indent=2, default=str))
            return
        for row in rows:
            means = f"({JOBS[row['job']].builtin})" if row["model"] == BUILTIN else f"v{row['version']} {row['row']}"
            means += "" if JOBS[row["job"]].used else f"; {NOT_USED}"
            self.stdout.write(
                f"{row['job']:16} {row['percent']:3} %  {row['model']:32} {row['tokens_today']:>9,} tokens  "
                f"{row['cost_today']:>9} in cost  {means}"
            )
        for level in budgets:
            reached = ", used up" if level.is_reached else ""
            self.stdout.write(f"budget for {level.name}: {level.says} today{reached}")
        for fault in faults:
            self.stderr.write(self.style.ERROR(fault))


def ladder() -> Iterator[dict[str, Any]]:
    """Each job's enabled rows, then its builtin for the remaining share of turns."""
    today = timezone.now().date()
    for job in JOBS:
        left, used = 100, spent(today, job)
        today_used = {"tokens_today": used.tokens, "cost_today": f"{used.cost.normalize():f}"}
        for rung in Rung.objects.filter(job=job, enabled=True).order_by("created_at", "pk"):
            left -= rung.percent
            yield {
                "job": job, "model": rung.model, "percent": rung.percent, "row": str(rung.pk), "version": rung.version,
                "fallback": rung.fallback, "prompt_version": rung.prompt_version, **today_used,
            }  # fmt: skip
        if left:
            yield {
                "job": job, "model": BUILTIN, "percent": left, "row": "", "version": 0, "fallback": "",
                "prompt_version": "", **today_used,
            }  # fmt: skip
