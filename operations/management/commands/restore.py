from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from operations.backup import BackupError, backup_restore


class Command(BaseCommand):
    help = "Restore the site from a backup. Stop web and worker first, and only restore backups you trust."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="Delete the current contents of the database.")

    def handle(self, *args: Any, **options: Any) -> None:
        path = options["file"].expanduser().resolve()
        try:
            restored = backup_restore(
                path=path, replace=options["replace"], say=lambda words: self.stderr.write(f"→ {words}")
            )
        except BackupError as error:
            raise CommandError(str(error)) from error
        space = restored.space or "no embedding space yet"
        self.stdout.write(f"Restored the site of {restored.made_at}; answers come from {space}.")
