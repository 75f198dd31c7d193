"""`manage.py rerank IN OUT`: scores passages against questions, in JSON lines."""

import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from lectorium.management.cross_encoders import provider_errors_reported, ready_reranker
from lectorium.management.json_lines import check_output, placed_objects, write_objects
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
        placed = placed_objects(options["input"], {"id": object, "question": str, "passages": list})
        for where, row in placed:
            if not all(isinstance(passage, str) for passage in row["passages"]):
                raise CommandError(f"{where}: every passage must be a string")
        check_output(options["output"])
        reranker = ready_reranker()
        with provider_errors_reported():
            count = write_objects(options["output"], ranked(reranker, [row for _, row in placed]))
        self.stderr.write(f"{count} questions scored into {options['output']}")


def ranked(reranker: Reranker, rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The scores of each row, in order. Raises CommandError where one is not finite."""
    for row in tqdm(rows, unit="question", file=sys.stderr):
        scores = [float(score) for score in reranker.rerank(row["question"], row["passages"])]
        for number, score in enumerate(scores, 1):
            if not math.isfinite(score):
                raise CommandError(
                    f"id {row['id']!r}: {reranker.name} scored passage {number} as {score}, which is not finite; "
                    "leave the passage out, or configure another reranker"
                )
        yield {"id": row["id"], "scores": scores}
