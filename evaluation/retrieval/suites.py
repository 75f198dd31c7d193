"""The suites of `manage.py evaluate` that measure retrieval."""

import asyncio
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from tqdm import tqdm

from audit.domain.metrics import Share
from corpus.selectors import corpus_fingerprint
from evaluation.golden_run import QUESTION
from evaluation.inputs import golden_rows
from evaluation.results import publish, publish_part
from evaluation.retrieval import ablation, gate, paraphrased, poison, report
from evaluation.retrieval import run as retrieving
from evaluation.retrieval.preparation import OtherCorpusPresent, prepare
from evaluation.retrieval.sets import SETS
from evaluation.stored_run import SuiteFigures

Options = Mapping[str, Any]


def retrieval(options: Options) -> SuiteFigures:
    if not 1 <= options["asked"] <= options["limit"]:
        raise CommandError("--asked must be at least 1, and --limit no less than --asked.")
    chosen = SETS[options["set"]]
    try:
        questions = chosen.questions(settings.DATA_DIR)
        with tqdm(desc="index", unit="chunk") as bar:
            imported = prepare(chosen, settings.DATA_DIR, lambda done, _: bar.update(done - bar.n))
    except (FileNotFoundError, OtherCorpusPresent) as error:
        raise CommandError(str(error)) from error
    with tqdm(unit="question") as bar:
        plan = retrieving.Sampling(options["limit"], options["asked"], options["seed"])
        found = asyncio.run(retrieving.run(questions, plan, options["mode"], bar.update))
    setting = report.MeasurementSetting(corpus_fingerprint(), len(imported.refused), options["seed"], options["mode"])
    titles = [question_set.title for question_set in SETS.values()]
    lines = report.part(chosen, found, setting)
    yes = [question for question in found.searched if question.question.gold]
    return SuiteFigures(
        {"retrieval": report.as_json(chosen, found, setting)},
        lambda: publish_part("retrieval", report.HEAD, chosen.title, lines, expected=titles),
        page="retrieval",
        shares={
            **{order: report.measures(chosen, order, yes) for order in retrieving.ORDERS},
            "answerable answered": gate.coverage(found.gated),
            "unanswerable answered": gate.hallucination(found.gated),
        },
    )


def ablation_suite(options: Options) -> SuiteFigures:
    rows = ablation.rows_with_gold(golden_rows("dev.jsonl", QUESTION), _limit(options), options["seed"])
    with tqdm(total=len(rows) * (1 + len(ablation.PARTS)), unit="search") as bar:
        ablated = asyncio.run(ablation.run_ablation(rows, bar.update))
    printed = ablation.as_json(ablated)
    return SuiteFigures(
        {"ablation": printed},
        lambda: publish("ablation", ablation.ablation_section(ablated, options["seed"])),
        page="ablation",
        shares={
            f"without {part}" if part else "with every part": {
                name: Share(counts[name], counts["of"]) for name in ("kept", "pool")
            }
            for part, counts in printed.items()
        },
    )


def poison_suite(options: Options) -> SuiteFigures:
    rows = poison.draw_rows(golden_rows("dev.jsonl", QUESTION), _limit(options), options["seed"])
    with tqdm(total=len(rows) * len(poison.TRIALS), unit="search") as bar:
        found = asyncio.run(poison.run_poison(rows, options["seed"], bar.update))
    printed = poison.as_json(found)
    return SuiteFigures(
        {"poison": printed},
        lambda: publish("poison", poison.poison_section(found, options["seed"])),
        page="poison",
        shares={
            f"planted {trial['planted']}, without {trial['without'] or 'nothing'}": {
                name: Share(trial[name], trial["of"]) for name in ("gold", "displaced", "changed", "misled")
            }
            for trial in printed
        },
    )


def paraphrased_suite(options: Options) -> SuiteFigures:
    halves = paraphrased.HALVES if options["half"] == "both" else (options["half"],)
    rows = [row for row in paraphrased.paraphrased_rows() if row["half"] in halves]
    with tqdm(total=len(rows) * len(paraphrased.TRIALS), unit="search") as bar:
        found = asyncio.run(paraphrased.run_paraphrased(rows, bar.update))
    printed = paraphrased.as_json(found)
    return SuiteFigures(
        {"paraphrased": printed},
        lambda: publish("paraphrased", paraphrased.paraphrased_section(found)),
        page="paraphrased",
        shares={
            f"{trial['half']}, {trial['planted']}, without {trial['without'] or 'nothing'}": {
                "gold": Share(trial["gold"], trial["of"])
            }
            for trial in printed
        },
    )


def _limit(options: Options) -> int:
    if options["limit"] < 1:
        raise CommandError("--limit must be at least 1.")
    return int(options["limit"])
