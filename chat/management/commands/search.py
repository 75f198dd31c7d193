"""`manage.py search "…"`: what the lanes find, without answering."""

import asyncio
import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from chat.asking import operator
from chat.domain.pool import Candidate, PoolLimits
from chat.domain.question import Question
from chat.stages.plan import plan_question
from chat.stages.retrieve import retrieve

LANES = ("dense", "lexical", "spelling", "address")


class Command(BaseCommand):
    help = "Search the corpus and print what each lane found, best first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("question")
        parser.add_argument("--lane", choices=LANES, help="Only what this lane found, in its own order.")
        parser.add_argument("--limit", type=int, default=10)
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        viewer = operator()
        plan = plan_question(Question(options["question"], viewer))
        pool = asyncio.run(retrieve(plan, viewer, PoolLimits()))
        found = list(pool.candidates)
        if lane := options["lane"]:
            found = sorted((one for one in found if lane in one.lanes), key=lambda one: one.lanes[lane].rank)
        rows = [_row(one) for one in found[: options["limit"]]]
        if options["json"]:
            self.stdout.write(json.dumps(rows, ensure_ascii=False, indent=2))
            return
        for row in rows:
            lanes = ", ".join(f"{lane} {rank}" for lane, rank in row["lanes"].items())
            self.stdout.write(f"{row['address']}  {row['title']}  ({lanes}; similarity {row['similarity']})")
            self.stdout.write(f"    {row['text'][:160]}")


def _row(one: Candidate) -> dict[str, Any]:
    return {
        "address": one.passage.address,
        "addresses": [paragraph.address for paragraph in one.passage.paragraphs] or [one.passage.address],
        "kind": one.passage.kind,
        "title": one.passage.title,
        "text": one.passage.text,
        "similarity": None if one.similarity is None else round(one.similarity, 4),
        "fused": round(one.fused, 5),
        "lanes": {lane: hit.rank for lane, hit in one.lanes.items()},
    }
