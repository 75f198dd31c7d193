"""`manage.py ask_file IN OUT`: answers a JSONL file of questions."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from chat.answering.domain.query.checks import BadMessage, check_question
from chat.answering.domain.question import Mode
from lectorium.asking import ask
from lectorium.management.json_lines import placed_objects, write_objects


class Command(BaseCommand):
    help = (
        'Answer a JSONL file of {"id", "question", "history": [{"role", "content"}]} and write one {"id", …response} '
        "per question. These turns are not recorded."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("input", type=Path)
        parser.add_argument("output", type=Path)
        parser.add_argument("--mode", choices=list(Mode), default=Mode.AUTO)

    def handle(self, *args: Any, **options: Any) -> None:
        rows = list(read_questions(options["input"]))
        write_objects(options["output"], self._answered(rows, options["mode"]))
        self.stdout.write(f"{len(rows)} questions answered in {options['output']}.")

    def _answered(self, rows: list[dict[str, Any]], mode: str) -> Iterator[dict[str, Any]]:
        with asyncio.Runner() as runner:
            for row in tqdm(rows, unit="question", file=self.stderr._out):
                history = tuple((turn["role"], turn["content"]) for turn in row.get("history") or [])
                yield {**runner.run(ask(row["question"], mode=mode, history=history)), "id": row["id"]}


def read_questions(path: Path) -> Iterator[dict[str, Any]]:
    """The validated rows. Raises CommandError with the file and line of the first invalid one."""
    for where, row in placed_objects(path, {"id": object, "question": str}):
        try:
            check_question(row["question"], settings.QUESTION_MAX_CHARS)
            [(turn["role"], turn["content"]) for turn in row.get("history") or []]
        except (BadMessage, KeyError, TypeError, AttributeError) as error:
            reason = str(error) if isinstance(error, BadMessage) else "history must be a list of {role, content}"
            raise CommandError(f"{where}: {reason}") from error
        yield row
