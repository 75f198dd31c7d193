"""`manage.py prepare`: everything `make run` needs before the site starts. Idempotent."""

from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand

from lectorium.database_start import wait_for_database
from operations.demo_accounts import demo_accounts_make


class Command(BaseCommand):
    help = "Migrate, import the sample corpus, index it, and make the demo accounts (embedded database only)."

    def handle(self, *args: Any, **options: Any) -> None:
        self._step("Database")
        wait_for_database(self.stderr.write)
        call_command("migrate", verbosity=0, interactive=False)
        self._step("Sample corpus")
        call_command("import_lectures", str(settings.SAMPLES_DIR / "lectures"), stdout=self.stdout)
        call_command("import_works", str(settings.SAMPLES_DIR / "works"), stdout=self.stdout)
        self._step("Index")
        call_command("index", stdout=self.stdout)
        if settings.EMBEDDED_POSTGRES is None:
            self._step("No demo accounts: DATABASE_URL is set. Make your own with: manage.py createsuperuser")
            return
        self._step("Demo accounts")
        for name, password in demo_accounts_make(get_user_model()).items():
            self.stdout.write(f"  {name:8} password: {password}")

    def _step(self, words: str) -> None:
        self.stderr.write(self.style.MIGRATE_HEADING(f"→ {words}"))
