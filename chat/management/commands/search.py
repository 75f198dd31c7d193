"""`manage.py search "…"`: prints the passages found, without answering."""

import asyncio
import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from chat.answering.calibrations import MissingCalibration
from chat.answering.domain.query.asked_scope import BadScope
from chat.answering.domain.question import Mode
from chat.search.lookup import LANES
from chat.search.parts import WITHOUT
from lectorium.asking import explain, search

SCORES = (
    "fused",
    "similarity",
    "reference_similarity",
    "sentence_similarity",
    "term_share",
    "relevance",
    "answerability",
    "rerank_score",
)


class Command(BaseCommand):
    help = "Search the corpus and print the passages that the lanes found, closest first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("question")
        parser.add_argument("--lane", choices=LANES, help="Only the hits of this lane, in its own order.")
        parser.add_argument("--limit", type=int, default=10)
        parser.add_argument(
            "--explain",
            action="store_true",
            help="Print the plan, the matching curated entries, every candidate with its lanes, scores and "
            "the rule that cut it, and the gate's decision.",
        )
        parser.add_argument("--mode", choices=[mode.value for mode in Mode], default=Mode.AUTO.value)
        parser.add_argument("--without", choices=WITHOUT, default="", help="Search without this part of retrieval.")
        parser.add_argument("--collection", action="append", default=[], help="Only this collection, by its key.")
        for name, value in (("work", "work, by its key"), ("kind", "kind"), ("language", "language")):
            parser.add_argument(f"--{name}", action="append", default=[], help=f"Only this {value}; may be repeated.")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["explain"] and options["lane"]:
            raise CommandError("--explain shows every lane; omit --lane.")
        narrowed = [f"{name}:{value}" for name in ("work", "kind", "language") for value in options[name]]
        arguments: dict[str, Any] = {name: options[name] for name in ("mode", "without")}
        arguments["scope"] = ",".join([*options["collection"], *narrowed])
        try:
            self._show(arguments, options)
        except (BadScope, MissingCalibration) as error:
            raise CommandError(str(error)) from error

    def _show(self, arguments: dict[str, Any], options: dict[str, Any]) -> None:
        if options["explain"]:
            return self._explain(asyncio.run(explain(options["question"], **arguments)), options)
        rows = asyncio.run(search(options["question"], lane=options["lane"], limit=options["limit"], **arguments))
        if options["json"]:
            return self._print_json(rows)
        for row in rows:
            lanes = ", ".join(f"{lane} {rank}" for lane, rank in row["lanes"].items())
            self.stdout.write(f"{row['address']}  {row['title']}  ({lanes}; similarity {row['similarity']})")
            self.stdout.write(f"    {row['text'][:160]}")
        return None

    def _explain(self, found: dict[str, Any], options: dict[str, Any]) -> None:
        limit = options["limit"]
        rows, capped = found["rows"][:limit], found["capped"][: max(0, limit - len(found["rows"]))]
        if options["json"]:
            return self._print_json({**found, "rows": rows, "capped": capped})
        lines = [*plan_lines(found["plan"]), *map(curated_line, found["curated"])]
        lines += [*map(candidate_line, (*rows, *capped)), gate_line(found["gate"])]
        return self.stdout.write("\n".join(lines))

    def _print_json(self, value: object) -> None:
        self.stdout.write(json.dumps(value, ensure_ascii=False, indent=2))


def plan_lines(plan: dict[str, Any]) -> list[str]:
    """The plan, one non-empty field per line; wordings are labelled by kind."""
    synonyms = (f"{word} = {' | '.join(sorted(map(' '.join, forms)))}" for word, forms in plan["alternatives"].items())
    fields = (
        ("route", plan["route"]),
        ("flags", ", ".join(plan["flags"])),
        ("language", plan["language"]),
        *((wording["kind"], wording["text"]) for wording in plan["wordings"]),
        ("words", " ".join(plan["words"])),
        ("alternatives", "; ".join(synonyms)),
        ("wanted kinds", ", ".join(plan["wanted_kinds"])),
        ("addresses", ", ".join(plan["addresses"])),
        *(("address fault", fault) for fault in plan["address_faults"]),
    )
    return [f"{name}: {' '.join(text.split())}" for name, text in fields if text]


def curated_line(match: dict[str, Any]) -> str:
    """A curated entry: title, matching phrasing, how it was accepted, and whether it replaces the search."""
    title, phrasing = (" ".join(match[name].split()) for name in ("title", "phrasing"))
    by = f', by "{phrasing}"' if phrasing != title else ""
    how = "accepted" if match["judged"] is None else f"borderline, judged {match['judged']:.3f}"
    sweep = "replaces the search" if match["skips_sweep"] else "with the search"
    effect = f". {match['effect']}" if match.get("effect") else ""
    return f'{match["kind"]}: "{title}"{by}  similarity {match["similarity"]:.3f}, {how}, {sweep}{effect}'


def candidate_line(row: dict[str, Any]) -> str:
    """A candidate: address, lanes with ranks and values, all scores, and the rule that cut it."""
    lanes = " ".join(f"{lane}#{rank}={row['lane_values'][lane]:.2f}" for lane, rank in row["lanes"].items())
    scores = " ".join(f"{name} {'–' if row[name] is None else format(row[name], '.3f')}" for name in SCORES)
    return f"{row['address']:<28} {lanes:<32} {scores}  {'cut by ' + row['cut_by'] if row['cut_by'] else 'kept'}"


def gate_line(gate: dict[str, Any]) -> str:
    """The gate's signals and decision."""
    signals = " ".join(f"{name} {value:.3f}" for name, value in gate["signals"].items())
    bar = "not asked" if gate["bar"] is None else f"bar {gate['bar']:.3f}"
    thin = ", thin: with a chat model, the outline decides" if gate["thin"] else ""
    return f"gate: {signals}  chance {gate['coverage']:.3f}, {bar}: {gate['decision']}{thin}"
