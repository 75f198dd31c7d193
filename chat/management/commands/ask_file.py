"""`manage.py ask_file IN OUT`: many questions, one JSON line each, in and out."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from chat.domain.question import Mode
from chat.protocol import BadMessage, check_question
from lectorium.asking import ask


class Command(BaseCommand):
    help = (
        'Answer a JSONL file of {"id", "question", "history": [{"role", "content"}]}; writes {"id", …response} a line. '
        "These turns are not recorded."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("input", type=Path)
        parser.add_argument("output", type=Path)
        parser.add_argument("--mode", choices=list(Mode), default=Mode.AUTO)

    def handle(self, *args: Any, **options: Any) -> None:
        rows = list(read_questions(options["input"]))
        asyncio.run(self._answer_all(rows, options["output"], options["mode"]))
        self.stdout.write(f"{len(rows)} questions answered in {options['output']}.")

    async def _answer_all(self, rows: list[dict[str, Any]], output: Path, mode: str) -> None:
        with output.open("w", encoding="utf-8") as out:
            for row in tqdm(rows, unit="question", file=self.stderr._out):
                history = tuple((turn["role"], turn["content"]) for turn in row.get("history") or [])
                response = await ask(row["question"], mode=mode, history=history)
                out.write(json.dumps({**response, "id": row["id"]}, ensure_ascii=False) + "\n")


def read_questions(path: Path) -> Iterator[dict[str, Any]]:
    """Yield checked rows. Raises CommandError naming the file and line of the first bad one, before any is asked."""
    if not path.is_file():
        raise CommandError(f"{path} does not exist; give a file with one JSON object a line.")
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            check_question(row["question"], settings.QUESTION_MAX_CHARS)
            [(turn["role"], turn["content"]) for turn in row.get("history") or []]
            row["id"]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            reason = str(error) if isinstance(error, BadMessage) else 'it needs "id", "question" and optional "history"'
            raise CommandError(f"{path}:{number}: {reason}") from error
        yield row
