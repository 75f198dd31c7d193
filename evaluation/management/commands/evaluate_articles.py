"""`manage.py evaluate_articles`: what HaluGate lets through of a hostile compiler, into docs/results/articles.md."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from articles.material import NothingFound
from corpus.selectors import corpus_fingerprint
from evaluation.articles.report import articles_section
from evaluation.articles.run import TOPICS, measure_articles
from evaluation.results import publish
from lectorium.providers.registry import verifier


class Command(BaseCommand):
    help = "Compile ten articles by an anthology, an honest and a hostile compiler, and count what would be published."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--seeds", type=int, default=1, help="Hostile articles per topic.")

    def handle(self, *args: Any, **options: Any) -> None:
        seeds = range(1, options["seeds"] + 1)
        if not seeds:
            raise CommandError("--seeds must be at least 1.")
        try:
            with tqdm(total=len(TOPICS) * (2 + 2 * len(seeds)), unit="article") as bar:
                found = measure_articles(seeds, bar.update)
        except NothingFound as error:
            raise CommandError(f"{error} The topics are those of the sample corpus: manage.py prepare.") from error
        self.stdout.write(publish("articles", articles_section(found, seeds, verifier().name, corpus_fingerprint())))
