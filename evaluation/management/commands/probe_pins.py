"""`manage.py probe_pins`: asks the probes of pins and notes, and writes their part of docs/results/pins.md."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from corpus.selectors import corpus_fingerprint
from curation.matching.rules import WITHOUT_JUDGE
from curation.preview import PreviewRefused
from evaluation.curation.probes import OtherEntriesPresent, measure_probes
from evaluation.curation.probes_report import probes_report
from evaluation.management.commands.calibrate_pins import HEAD
from evaluation.results import publish_part
from lectorium.providers.registry import rewording_judge


class Command(BaseCommand):
    help = "Ask the probes of pins and notes over the imported corpus, with the rule in use. Keeps nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with tqdm(unit="probe", disable=options["verbosity"] == 0) as bar:
                found = measure_probes(bar.update)
        except (OtherEntriesPresent, PreviewRefused) as error:
            raise CommandError(str(error)) from error
        judge = rewording_judge()
        lines = list(probes_report(found, judge.name.split()[0] if judge else WITHOUT_JUDGE, corpus_fingerprint()))
        publish_part("pins", HEAD, f"{found.model}: probes by another author", lines)
        self.stdout.write("\n".join(lines))
