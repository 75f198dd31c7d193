"""`manage.py evaluate [suite…]`: measures the product and writes a page of docs/results for each suite."""

import asyncio
import json
import time
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from corpus.selectors import corpus_fingerprint
from evaluation.citations import report as citing
from evaluation.citations import run as cited
from evaluation.conversation import conversation_section, run_conversation
from evaluation.escape import counterfactual, report, run, second_asking
from evaluation.escape.handwritten import report as handwritten
from evaluation.escape.handwritten import verifier_report
from evaluation.escape.handwritten.checking import CheckedHandwritten, check_claims, verdict_counts
from evaluation.escape.handwritten.claims import HALVES, UNSEEN, HandwrittenSet, read_half
from evaluation.escape.handwritten.measured_halves import MeasuredHalf, measure_half
from evaluation.golden_run import QUESTION, golden_report, run_golden
from evaluation.inputs import golden_rows, held_out
from evaluation.labelled_claims import CLAIM, LABELS, claims_report, run_claims
from evaluation.natural import FRESH, LATEST, natural_section, run_natural
from evaluation.natural import read_half as read_questions
from evaluation.regressions import measure_regressions
from evaluation.results import folder, publish, publish_part
from evaluation.retrieval import ablation, poison
from evaluation.retrieval import run as retrieval
from evaluation.retrieval.preparation import OtherCorpusPresent, prepare
from evaluation.retrieval.report import HEAD, MeasurementSetting, as_json, part
from evaluation.retrieval.sets import SETS
from evaluation.reviewed_cases import measure_reviewed
from lectorium.ladder.verifiers import named_verifier
from lectorium.providers.errors import ProviderError
from lectorium.providers.protocols import Verifier
from lectorium.providers.registry import embedder, verifier

SUITES = ("regressions", "reviewed", "golden", "natural", "claims", "escape", "verifier", "counterfactual", "citations")
# Run only when named: retrieval needs a state folder of its own, the others search hundreds of times or judge rules.
ON_REQUEST = ("retrieval", "ablation", "poison", "conversation")


class Command(BaseCommand):
    help = "Run evaluation suites over the imported corpus and write their pages in docs/results."
    failed = ""  # said last, so that every suite has run

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("suites", nargs="*", choices=[*SUITES, *ON_REQUEST, []], default=[], metavar="suite")
        parser.add_argument("--mode", default="auto", choices=["instant", "auto", "thinking"])
        parser.add_argument("--json", action="store_true", help="Print the figures instead of writing docs.")
        parser.add_argument("--planted", type=int, default=run.PLANTED, help="escape: number of planted falsehoods.")
        parser.add_argument("--seed", type=int, default=1, help="Random seed; golden and claims do not use it.")
        parser.add_argument(
            "--half",
            choices=[*HALVES, "both", FRESH, LATEST],
            default="both",
            help="natural, escape, verifier: which half; dev while tuning. natural: fresh, latest too, to report only.",
        )
        parser.add_argument(
            "--with",
            dest="judge",
            default="",
            metavar="NAME",
            help="verifier: shipped, overlap, a weights folder or PROVIDER:MODEL, instead of the one in use.",
        )
        parser.add_argument("--set", choices=SETS, default="hotpotqa", help="retrieval: which question set.")
        parser.add_argument("--limit", type=int, default=200, help="Questions of the suites that take a sample.")
        parser.add_argument(
            "--asked", type=int, default=100, help="retrieval: questions of each kind that go through the whole turn."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        for suite in options["suites"] or SUITES:
            getattr(self, f"_{suite}")(options)
        if not options["json"]:
            self.stdout.write(f"Written: {folder()}. The headline figures in docs/results.md are copied by hand.")
        if self.failed:
            raise CommandError(self.failed)

    def _regressions(self, options: dict[str, Any]) -> None:
        said, self.failed = measure_regressions(as_json=options["json"])
        self.stdout.write(said)

    def _reviewed(self, options: dict[str, Any]) -> None:
        self.stdout.write(measure_reviewed(as_json=options["json"]))

    def _golden(self, options: dict[str, Any]) -> None:
        rows = golden_rows("dev.jsonl", QUESTION)
        with tqdm(total=len(rows), unit="question") as bar:
            golden = asyncio.run(run_golden(rows, options["mode"], lambda: bar.update()))
        if options["json"]:
            scored = [{"id": row["id"], **asdict(answer)} for row, answer in zip(rows, golden.scored, strict=True)]
            self.stdout.write(json.dumps({"golden": scored}))
            return
        publish("golden", golden_report(golden, options["mode"]))

    def _natural(self, options: dict[str, Any]) -> None:
        halves = HALVES if options["half"] == "both" else (options["half"],)
        found = {}
        for half in halves:
            rows = read_questions(half)
            with tqdm(total=len(rows), unit="question", desc=half) as bar:
                found[half] = asyncio.run(run_natural(rows, options["mode"], bar.update))
        if options["json"]:
            self.stdout.write(json.dumps({half: list(map(asdict, answers)) for half, answers in found.items()}))
            return
        publish("natural", natural_section(found, options["mode"], corpus_fingerprint()))

    def _conversation(self, options: dict[str, Any]) -> None:
        found = run_conversation(settings.DATA_DIR)
        if options["json"]:
            self.stdout.write(json.dumps({"conversation": list(map(asdict, found))}))
            return
        publish("conversation", conversation_section(found, corpus_fingerprint()))

    def _claims(self, options: dict[str, Any]) -> None:
        rows = golden_rows("claims_dev.jsonl", CLAIM)
        with tqdm(total=len(rows), unit="claim") as bar:
            checked = asyncio.run(run_claims(rows, lambda: bar.update()))
        if options["json"]:
            self.stdout.write(json.dumps({"claims": verdict_counts(checked, LABELS)}))
            return
        publish("claims", claims_report(checked, verifier().name))

    def _escape(self, options: dict[str, Any]) -> None:
        if options["planted"] < 1:
            raise CommandError("--planted must be at least 1.")
        unseen, halves = held_out(), _halves(options)
        checked = {half.name: _checked(half) for half in halves}
        began = time.perf_counter()
        with tqdm(total=options["planted"], unit="falsehood") as bar:
            found = asyncio.run(run.run(unseen, options["planted"], options["seed"], bar.update))
        if options["json"]:
            figures = {"handwritten": handwritten.as_json(checked), **report.as_json(found)}
            self.stdout.write(json.dumps({"escape": figures}, ensure_ascii=False))
            return
        seconds = time.perf_counter() - began
        judge = verifier()
        by_hand = handwritten.section(checked, judge.name, passed_bar=judge.passed_bar)
        generated = report.section(found, judge.name, options["seed"], seconds)
        publish("escape", ["## Escape test", "", *by_hand, *generated])

    def _verifier(self, options: dict[str, Any]) -> None:
        halves = _halves(options)
        try:
            named = named_verifier(options["judge"])
            measured = {half.name: _measured(half, named.verifier) for half in halves}
            stored = named.store(measured[UNSEEN].bar) if UNSEEN in measured else ""
        except ProviderError as error:
            raise CommandError(str(error)) from error
        name = named.verifier.name
        if options["json"]:
            self.stdout.write(json.dumps({"verifier": verifier_report.as_json(measured, name, stored)}))
            return
        publish_part("verifier", verifier_report.HEAD, name, verifier_report.part(measured, stored))

    def _counterfactual(self, options: dict[str, Any]) -> None:
        with tqdm(total=counterfactual.CLAIMS, unit="claim") as bar:
            run = counterfactual.run_counterfactual(held_out(), options["seed"], lambda: bar.update())
            fates = asyncio.run(run)
        rows = [row for row in golden_rows("dev.jsonl", QUESTION) if row["section"] == "A"][: options["limit"]]
        with tqdm(total=len(rows), unit="question") as bar:
            again = asyncio.run(second_asking.ask_again(rows, lambda: bar.update()))
        if options["json"]:
            self.stdout.write(json.dumps({"counterfactual": {**fates, "asked again": again}}))
            return
        publish("counterfactual", [*counterfactual.counterfactual_section(fates), *second_asking.again_section(again)])

    def _citations(self, options: dict[str, Any]) -> None:
        rows = [row for row in golden_rows("dev.jsonl", QUESTION) if row["section"] == "A"]
        with tqdm(unit="answer") as bar:
            run = cited.run(rows, held_out(), options["limit"], options["seed"], lambda: bar.update())
            found, judges = asyncio.run(run)
        if options["json"]:
            self.stdout.write(json.dumps({"citations": citing.as_json(found, judges)}))
            return
        publish("citations", citing.section(found, judges, verifier().name, corpus_fingerprint(), options["seed"]))

    def _retrieval(self, options: dict[str, Any]) -> None:
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
            plan = retrieval.Sampling(options["limit"], options["asked"], options["seed"])
            found = asyncio.run(retrieval.run(questions, plan, options["mode"], bar.update))
        setting = MeasurementSetting(corpus_fingerprint(), len(imported.refused), options["seed"], options["mode"])
        if options["json"]:
            self.stdout.write(json.dumps({"retrieval": as_json(chosen, found, setting)}))
            return
        titles = [question_set.title for question_set in SETS.values()]
        publish_part("retrieval", HEAD, chosen.title, part(chosen, found, setting), expected=titles)

    def _ablation(self, options: dict[str, Any]) -> None:
        limit = _searched_for(options)
        rows = ablation.rows_with_gold(golden_rows("dev.jsonl", QUESTION), limit, options["seed"])
        with tqdm(total=len(rows) * (1 + len(ablation.PARTS)), unit="search") as bar:
            ablated = asyncio.run(ablation.run_ablation(rows, bar.update))
        if options["json"]:
            self.stdout.write(json.dumps({"ablation": ablation.as_json(ablated)}))
            return
        publish("ablation", ablation.ablation_section(ablated, options["seed"]))

    def _poison(self, options: dict[str, Any]) -> None:
        limit = _searched_for(options)
        rows = poison.draw_rows(golden_rows("dev.jsonl", QUESTION), limit, options["seed"])
        with tqdm(total=len(rows) * len(poison.TRIALS), unit="search") as bar:
            found = asyncio.run(poison.run_poison(rows, options["seed"], bar.update))
        if options["json"]:
            self.stdout.write(json.dumps({"poison": poison.as_json(found)}))
            return
        publish("poison", poison.poison_section(found, options["seed"]))


def _searched_for(options: dict[str, Any]) -> int:
    if options["limit"] < 1:
        raise CommandError("--limit must be at least 1.")
    return int(options["limit"])


def _halves(options: dict[str, Any]) -> list[HandwrittenSet]:
    return [read_half(name) for name in HALVES if options["half"] in (name, "both")]


def _checked(half: HandwrittenSet) -> list[CheckedHandwritten]:
    with tqdm(desc=f"{half.name} half", total=len(half.claims), unit="claim") as bar:
        return asyncio.run(check_claims(half.claims, None, lambda: bar.update()))


def _measured(half: HandwrittenSet, judge: Verifier) -> MeasuredHalf:
    with tqdm(desc=f"{half.name} half", total=len(half.claims), unit="claim") as bar:
        return measure_half(half, judge, embedder(), lambda: bar.update())
