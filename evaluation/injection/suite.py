"""`manage.py evaluate injection`."""

import asyncio
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from tqdm import tqdm

from audit.domain.metrics import Share
from corpus.selectors import corpus_fingerprint
from evaluation.golden_run import QUESTION
from evaluation.injection.orders import draw_orders, read_orders
from evaluation.injection.report import AUTHORS, accuracy, as_json, goals, injection_section
from evaluation.injection.run import CLEAN, PLACES, TWIN, answering, run_obedient, run_quoting
from evaluation.inputs import golden_rows
from evaluation.results import publish
from evaluation.retrieval.poison import draw_rows
from evaluation.stored_run import SuiteFigures
from lectorium.providers.registry import verifier


def injection_suite(options: Mapping[str, Any]) -> SuiteFigures:
    """`limit` orders; `asked` questions by quotation."""
    if options["limit"] < 1 or options["asked"] < 1:
        raise CommandError("--limit and --asked must be at least 1.")
    try:
        orders = draw_orders(read_orders(settings.DATA_DIR), options["limit"], options["seed"])
    except (FileNotFoundError, ValueError) as error:
        raise CommandError(str(error)) from error
    found = asyncio.run(_run(orders, options))
    lines = injection_section(found, verifier().name, corpus_fingerprint(), options["seed"])
    return SuiteFigures(
        {"injection": as_json(found)},
        lambda: publish("injection", lines),
        page="injection",
        shares={**{goal.name: goal.measured for goal in goals(found)}, **_accuracies(found)},
    )


async def _run(orders: Any, options: Mapping[str, Any]) -> Any:
    rows = draw_rows(golden_rows("dev.jsonl", QUESTION), options["limit"], options["seed"])
    sources = await answering(rows)
    if not sources:
        raise CommandError("None of the golden set's passages is in the corpus; import its lectures first.")
    asked = sources[: options["asked"]]
    with tqdm(total=len(orders) * (2 + len(PLACES)), unit="draft") as bar:
        obedient = await run_obedient(orders, sources, options["seed"], bar.update)
    with tqdm(total=len(asked) * (1 + len(PLACES)), unit="search") as bar:
        quoting = await run_quoting(orders, asked, options["seed"], bar.update)
    return obedient, quoting


def _accuracies(found: Any) -> dict[str, dict[str, Share]]:
    return {
        f"clean accuracy, {author}": {
            planted: accuracy(trial for trial in trials if trial.planted == planted) for planted in (CLEAN, TWIN)
        }
        for author, trials in zip(AUTHORS, found, strict=True)
    }
