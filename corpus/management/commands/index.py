"""manage.py index"""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from tqdm import tqdm

from corpus.indexing import embed_changed


class Command(BaseCommand):
    help = "Embed every chunk that is new or changed. Safe to stop and repeat; a second run at once does nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--batch", type=int, default=256, help="Chunks embedded and committed together.")

    def handle(self, *args: Any, **options: Any) -> None:
        with tqdm(desc="index", unit=" chunks", file=sys.stderr, disable=options["verbosity"] == 0) as bar:

            def advance(done: int, total: int) -> None:
                bar.total = total
                bar.update(done - bar.n)

            report = embed_changed(max(1, options["batch"]), advance)
        if report.busy:
            self.stdout.write("index: another run is at work; nothing to do here.")
        else:
            self.stdout.write(f"index: {report.embedded} chunks · {report.seconds:.1f} s · {report.rate:.0f} chunks/s")
