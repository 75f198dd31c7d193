"""`manage.py rerank IN OUT`: score passages against questions, JSON lines in and out."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from lectorium.management.cross_encoders import ready_reranker
from lectorium.management.json_lines import read_objects, write_objects
from lectorium.providers.protocols import Reranker
from lectorium.providers.windowing import QUERY_TOKENS


class Command(BaseCommand):
    help = (
        "Score passages: reads {id, question, passages}, writes {id, scores}; higher is better within one line. "
        f"Of a question longer than {QUERY_TOKENS} tokens the last {QUERY_TOKENS} count, and a long passage is as good "
        "as its best window; a service that LECTORIUM_RERANKER names is sent both whole and may cut them."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("input", type=Path, help="JSON lines with id, question and passages (a list of strings)")
        parser.add_argument("output", type=Path, help="JSON lines with id and scores, one a passage")

    def handle(self, *args: Any, **options: Any) -> None:
        rows = read_objects(options["input"], {"id": object, "question": str, "passages": list})
        for row in rows:
            if not all(isinstance(passage, str) for passage in row["passages"]):
                message = f"{options['input']}, id {row['id']!r}: every passage must be a string"
                raise CommandError(message)
        count = write_objects(options["output"], ranked(ready_reranker(), rows))
        self.stderr.write(f"{count} questions scored into {options['output']}")


def ranked(reranker: Reranker, rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the scores of each row, in the order given."""
    for row in tqdm(rows, unit="question", file=sys.stderr):
        scores = reranker.rerank(row["question"], row["passages"])
        yield {"id": row["id"], "scores": [round(score, 4) for score in scores]}
