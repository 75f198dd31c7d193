"""Shared by the import commands: arguments, progress on stderr, a summary on stdout."""

from __future__ import annotations

import gc
import sys
import time
from argparse import ArgumentParser
from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from corpus.indexing.meanwhile import embedding_meanwhile
from corpus.management.index_bar import index_bar
from corpus.models import Collection
from corpus.services import ImportProgress, ImportReport, collection_ensure, sources_import
from corpus.services.collections import DEFAULT_COLLECTION
from corpus.services.importing import Kind
from corpus.services.uploads import import_record

REFUSALS_SHOWN = 50


class Bar(ImportProgress):
    def __init__(self, bar: tqdm[Any]) -> None:
        self._bar = bar

    def grow(self, amount: int) -> None:
        self._bar.total = (self._bar.total or 0) + amount
        self._bar.refresh()

    def advance(self, amount: int = 1) -> None:
        self._bar.update(amount)


class ImportCommand(BaseCommand):
    """Exits with 1 only if every source was refused."""

    noun: ClassVar[str]
    unit: ClassVar[str]
    only: ClassVar[Kind | None] = None

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
        parser.add_argument(
            "--collection", default=DEFAULT_COLLECTION, help="Key of the collection, which is created if missing."
        )
        parser.add_argument(
            "--index", action="store_true", help="Embed too, while importing; otherwise run manage.py index afterwards."
        )
        parser.add_argument("--visibility", choices=Collection.Visibility.values, help="Who may read the collection.")

    def handle(self, *args: Any, **options: Any) -> None:
        collection = collection_ensure(key=options["collection"], visibility=options["visibility"])
        begun = time.monotonic()
        gc.freeze()  # as in the command index
        with ExitStack() as stack:
            if options["index"]:
                advance = stack.enter_context(index_bar(options["verbosity"]))
                stack.enter_context(embedding_meanwhile(advance))
            bar = tqdm(total=0, desc=self.noun, unit=self.unit, file=sys.stderr, disable=options["verbosity"] == 0)
            report = sources_import(
                paths=options["paths"],
                collection=collection,
                only=self.only,
                keep_states=True,  # an operator may restore a library as it was
                progress=Bar(stack.enter_context(bar)),
            )
            seconds = time.monotonic() - begun
        self._summarize(report, seconds)
        import_record(paths=options["paths"], collection=collection, report=report)
        if options["index"]:
            call_command("index", verbosity=options["verbosity"], stdout=self.stdout)
        elif report.changed_anything:
            self.stdout.write("Next: manage.py index")
        if report.all_refused:
            raise CommandError(f"No {self.noun} were imported.")

    def _summarize(self, report: ImportReport, seconds: float) -> None:
        for outcome in report.refused[:REFUSALS_SHOWN]:
            self.stdout.write(f"refused  {outcome.source}: {outcome.problem}.")
        if (more := len(report.refused) - REFUSALS_SHOWN) > 0:
            self.stdout.write(f"refused  … and {more} more")
        remarks = [outcome for outcome in report.outcomes if outcome.remark]
        for outcome in remarks[:REFUSALS_SHOWN]:
            self.stdout.write(f"note     {outcome.source}: {outcome.remark}.")
        if (more := len(remarks) - REFUSALS_SHOWN) > 0:
            self.stdout.write(f"note     … and {more} more")
        counts = ", ".join(
            f"{report.count(state)} {state}" for state in ("imported", "changed", "unchanged", "refused")
        )
        self.stdout.write(f"{self.noun}: {counts} · {report.chunks} chunks · {seconds:.1f} s")
