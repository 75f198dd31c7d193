import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from corpus.indexing.context_sentences import JOB
from corpus.indexing.embedding import IndexPace, embed_changed
from lectorium.ladder.selectors import has_model


class Command(BaseCommand):
    help = "Embed new and changed chunks. Safe to stop and repeat; several runs share the work."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--batch", type=int, default=256, help="Chunks embedded and committed together.")
        parser.add_argument(
            "--contextualize",
            action="store_true",
            help="Also situate chunks that were indexed without a sentence of the contextualize model.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["contextualize"] and not has_model(JOB):
            raise CommandError(f"No model does {JOB}: add a row for it under Model ladder → Rungs in admin first.")
        with tqdm(desc="index", unit=" chunks", file=sys.stderr, disable=options["verbosity"] == 0) as bar:

            def advance(done: int, total: int) -> None:
                bar.total = total
                bar.update(done - bar.n)

            report = embed_changed(
                IndexPace(batch=max(1, options["batch"])), advance, situate_all=options["contextualize"]
            )
        self.stdout.write(f"index: {report.embedded} chunks · {report.seconds:.1f} s · {report.rate:.0f} chunks/s")
        if report.situated:
            self.stdout.write(f"{report.situated} chunks situated by a model")
        if report.left:
            self.stdout.write(
                f"{report.left} chunks are claimed by other runs; if one was killed, repeat in two minutes."
            )
