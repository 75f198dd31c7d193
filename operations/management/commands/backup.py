from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from operations.backup import BackupError, backup_make


class Command(BaseCommand):
    help = "Back up database, recordings and calibrations to one file; the site may be in use."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        path = options["file"].expanduser().resolve()
        try:
            backup_make(path=path, say=lambda words: self.stderr.write(f"→ {words}"))
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Backed up to {path}, {path.stat().st_size / 1e6:,.1f} MB.")
