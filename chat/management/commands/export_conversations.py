"""`manage.py export_conversations --user NAME OUT`: writes a reader's questions and answers to a file."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from chat.conversations.export_rows import export_rows
from chat.management.readers import add_reader_arguments, conversations_of
from lectorium.management.json_lines import write_objects


class Command(BaseCommand):
    help = "Write conversations as JSON lines, one response per turn. `recheck` reads this format."

    def add_arguments(self, parser: CommandParser) -> None:
        add_reader_arguments(parser)
        parser.add_argument("output", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        conversations = conversations_of(options)
        turns = write_objects(options["output"], export_rows(conversations))
        self.stderr.write(f"{turns} turns of {conversations.count()} conversations written to {options['output']}")
