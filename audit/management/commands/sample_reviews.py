"""`manage.py sample_reviews`: puts turns of the last days into the review queue."""

from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audit.domain.tallies import Span
from audit.turn_reviews.queue import SAMPLE, queue_fill


class Command(BaseCommand):
    help = "Put a stratified sample, flagged turns and complaints of the last days into the review queue."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--days", type=int, default=7, help="Days up to today, UTC.")
        parser.add_argument("--size", type=int, default=SAMPLE, help="Turns to draw at random.")
        parser.add_argument("--seed", default="", help="Another sample of the same days.")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["days"] < 1 or options["size"] < 0:
            raise CommandError("--days must be at least 1, and --size not negative.")
        span = Span.ending(datetime.now(UTC).date(), options["days"])
        added = queue_fill(span=span, sample=options["size"], seed=options["seed"])
        self.stdout.write(", ".join(f"{number} {source}" for source, number in added.items()) + " added")
