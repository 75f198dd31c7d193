from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from corpus.models import Collection
from curation.library.export import ExportRefused, library_export


class Command(BaseCommand):
    help = "Write works, pins and notes to one SQLite file, which import_sources reads back."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--collection", metavar="KEY", help="Only this collection's works and pins, and all notes.")

    def handle(self, *args: Any, **options: Any) -> None:
        path, key = options["file"].expanduser().resolve(), options["collection"]
        chosen = Collection.objects.filter(key=key) if key else Collection.objects.all()
        if key and not chosen:
            known = ", ".join(Collection.objects.order_by("key").values_list("key", flat=True)) or "none yet"
            raise CommandError(f"There is no collection {key!r}; there are {known}.")
        if path.exists():
            raise CommandError(f"{path} exists already. Name another file, or remove it first.")
        try:
            exported = library_export(path, chosen)
        except ExportRefused as refusal:
            raise CommandError(str(refusal)) from refusal
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror}.") from error
        self.stdout.write(f"Exported {exported} to {path}.")
