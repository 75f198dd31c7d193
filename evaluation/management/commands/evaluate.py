"""`manage.py evaluate [suite…]`: measures the product, stores each run, and writes a page of docs/results for each."""

import json
import re
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from audit.models import EvaluationRun
from evaluation import suites
from evaluation.escape import run
from evaluation.escape.handwritten.claims import HALVES
from evaluation.injection.suite import injection_suite
from evaluation.natural import LATER, LECTURES
from evaluation.natural.languages import measure_languages
from evaluation.opposition import opposition_suite
from evaluation.regressions import measure_regressions
from evaluation.results import folder
from evaluation.retrieval import suites as retrieval
from evaluation.retrieval.sets import SETS
from evaluation.reviewed_cases import measure_reviewed
from evaluation.sample_questions import measure_samples
from evaluation.stored_run import run_stored
from lectorium.providers.errors import ProviderError

# Without a name, all of these run. Retrieval says then that it needs a state folder of its own.
SUITES: Mapping[str, suites.Suite] = {
    "regressions": lambda options: measure_regressions(),
    "reviewed": lambda options: measure_reviewed(),
    "golden": suites.golden,
    "natural": suites.natural,
    "claims": suites.claims,
    "escape": suites.escape,
    "verifier": suites.verifier_suite,
    "counterfactual": suites.counterfactual_suite,
    "citations": suites.citations,
    "retrieval": retrieval.retrieval,
}
# Run only when named: they search hundreds of times, judge rules, or need the sample corpus.
ON_REQUEST: Mapping[str, suites.Suite] = {
    "ablation": retrieval.ablation_suite,
    "poison": retrieval.poison_suite,
    "paraphrased": retrieval.paraphrased_suite,
    "injection": injection_suite,
    "conversation": suites.conversation,
    "samples": measure_samples,
    "languages": measure_languages,
    "opposition": opposition_suite,
    "two_passages": suites.two_passages_suite,
}
_CITED = re.compile(r"`(manage\.py [^`]+)`")
_EVALUATES = re.compile(r"manage\.py evaluate (\w+)")


class Command(BaseCommand):
    help = "Run evaluation suites over the imported corpus, store the runs and write their pages in docs/results."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("suites", nargs="*", choices=[*SUITES, *ON_REQUEST, []], default=[], metavar="suite")
        parser.add_argument("--mode", default="auto", choices=["instant", "auto", "thinking"])
        parser.add_argument("--json", action="store_true", help="Print the figures instead of writing docs.")
        parser.add_argument("--planted", type=int, default=run.PLANTED, help="escape: number of planted falsehoods.")
        parser.add_argument("--seed", type=int, default=1, help="Random seed; golden and claims do not use it.")
        parser.add_argument(
            "--half",
            choices=[*HALVES, "both", *LATER, "all", "report"],
            default="both",
            help="natural, escape, verifier, paraphrased: which half; dev while tuning. natural: a later set, all, or "
            "report for those that nobody tuned on.",
        )
        parser.add_argument(
            "--of", dest="lectures", choices=["all", *LECTURES], default="all", help="natural: about which lectures."
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
            "--asked",
            type=int,
            default=100,
            help="retrieval: questions of each kind that go through the whole turn; injection: those by quotation.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        named = options["suites"]
        _migrate_if_new()
        options["half"] = "all" if not named and options["half"] == "both" else options["half"]
        failed, not_run = [], []
        for suite in named or SUITES:
            try:
                failed.append(self._run(suite, options))
            except (CommandError, ProviderError, FileNotFoundError) as error:
                if named:
                    raise
                not_run.append(f"- {suite}: {error}")
        if not options["json"]:
            self.stdout.write(f"Written: {folder()}. The headline figures in docs/results.md are copied by hand.")
        if not named:
            not_run += [f"- {command}: not a suite, run it by itself" for command in other_commands_cited()]
            self.stdout.write("\n".join(["Could not be run here:", *not_run]) if not_run else "Every suite was run.")
        if any(failed):
            raise CommandError("\n".join(filter(None, failed)))

    def _run(self, suite: str, options: Mapping[str, Any]) -> str:
        """Run one suite; what did not hold, said last so that every suite runs."""
        measure = {**SUITES, **ON_REQUEST}[suite]
        found = run_stored(suite, options, lambda: measure(options), writes=not options["json"])
        if options["json"]:
            self.stdout.write(json.dumps(found.printed, ensure_ascii=False))
        elif found.said:
            self.stdout.write(found.said)
        return found.failed


def other_commands_cited() -> list[str]:
    """Commands beside headline figures of docs/results.md that are no suite that runs without a name."""
    page = settings.BASE_DIR / "docs" / "results.md"
    cited = dict.fromkeys(_CITED.findall(page.read_text(encoding="utf-8"))) if page.is_file() else {}
    return [command for command in cited if not ((found := _EVALUATES.match(command)) and found[1] in SUITES)]


def _migrate_if_new() -> None:
    """A state folder of its own begins without tables."""
    if EvaluationRun._meta.db_table not in connection.introspection.table_names():
        call_command("migrate", verbosity=0, interactive=False)
