"""`manage.py search "…"`: what the lanes find, without answering."""

import asyncio
import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from chat.searching import LANES
from lectorium.asking import search


class Command(BaseCommand):
    help = "Search the corpus and print what the lanes found, closest first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("question")
        parser.add_argument("--lane", choices=LANES, help="Only what this lane found, in its own order.")
        parser.add_argument("--limit", type=int, default=10)
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        rows = asyncio.run(search(options["question"], lane=options["lane"], limit=options["limit"]))
        if options["json"]:
            self.stdout.write(json.dumps(rows, ensure_ascii=False, indent=2))
            return
        for row in rows:
            lanes = ", ".join(f"{lane} {rank}" for lane, rank in row["lanes"].items())
            self.stdout.write(f"{row['address']}  {row['title']}  ({lanes}; similarity {row['similarity']})")
            self.stdout.write(f"    {row['text'][:160]}")
