"""`manage.py export_reviews claims|answers OUT`: reviewed feedback as labelled data."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from audit.reviews import reviewed_answers, reviewed_claims
from lectorium.management.json_lines import write_objects

EXPORTS = {"claims": reviewed_claims, "answers": reviewed_answers}


class Command(BaseCommand):
    help = "Write reviewed feedback as JSON lines: claims for `verify`, or answers for `ask_file`."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=EXPORTS)
        parser.add_argument("output", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        what = options["what"]
        rows = write_objects(options["output"], EXPORTS[what]())
        self.stderr.write(f"{rows} reviewed {what} written to {options['output']}")
