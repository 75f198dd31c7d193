"""Queued jobs of translations. All are idempotent."""

from django.conf import settings
from django_q.tasks import async_task

from curation.translations.selectors import due
from curation.translations.services import translations_sync
from curation.translations.writer import JOB, TranslationWriter
from lectorium.ladder.selectors import has_model
from lectorium.only_run import only_run

ALREADY = "another run is translating"
TASK = "curation.translations.tasks.translate_due"


def translate_soon() -> None:
    """Queue a run, where there is a locale to translate into."""
    if settings.LOCALES:
        async_task(TASK)


def translate_due() -> str:
    """Compare the published texts with their translations and ask for what is due; return a one-line summary."""
    if not settings.LOCALES:
        return "LECTORIUM_LOCALES is empty: nothing to translate"
    with only_run("translations") as alone:
        return _translate() if alone else ALREADY


def _translate() -> str:
    synced = translations_sync(locales=settings.LOCALES)
    found = f"{synced.added} texts new, {synced.changed} changed, {synced.removed} removed"
    waiting = due(settings.LOCALES)
    if not has_model(JOB):
        return f"{found}; {waiting.count()} missing, because no model does `{JOB}`"
    with TranslationWriter() as writer:
        writer.write(list(waiting))
    left = f"; {writer.remark}" if writer.remark else ""
    return f"{found}; {writer.written} translated, {writer.failed} failed{left}"
