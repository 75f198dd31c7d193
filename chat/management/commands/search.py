"""`manage.py search "…"`: what the lanes find, without answering."""

import asyncio
import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from chat.domain.parts import WITHOUT
from chat.searching import LANES
from lectorium.asking import search

SCORES = ("fused", "similarity", "term_share", "relevance", "answerability", "rerank_score")


class Command(BaseCommand):
    help = "Search the corpus and print what the lanes found, closest first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("question")
        parser.add_argument("--lane", choices=LANES, help="Only what this lane found, in its own order.")
        parser.add_argument("--limit", type=int, default=10)
        parser.add_argument(
            "--explain",
            action="store_true",
            help="Every candidate: its lanes, all its scores, and the rule that cut it.",
        )
        parser.add_argument("--without", choices=WITHOUT, default="", help="Search without this part of retrieval.")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        asked = {name: options[name] for name in ("lane", "limit", "explain", "without")}
        rows = asyncio.run(search(options["question"], **asked))
        if options["json"]:
            self.stdout.write(json.dumps(rows, ensure_ascii=False, indent=2))
            return
        for row in rows:
            if options["explain"]:
                self.stdout.write(explained(row))
                continue
            lanes = ", ".join(f"{lane} {rank}" for lane, rank in row["lanes"].items())
            self.stdout.write(f"{row['address']}  {row['title']}  ({lanes}; similarity {row['similarity']})")
            self.stdout.write(f"    {row['text'][:160]}")


def explained(row: dict[str, Any]) -> str:
    """Return one candidate on one line: address, lanes with ranks, every score, and what cut it."""
    lanes = " ".join(f"{lane}#{rank}" for lane, rank in row["lanes"].items())
    scores = " ".join(f"{name} {'–' if row[name] is None else format(row[name], '.3f')}" for name in SCORES)
    return f"{row['address']:<28} {lanes:<32} {scores}  {'cut by ' + row['cut_by'] if row['cut_by'] else 'kept'}"
