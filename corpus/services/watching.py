"""Watched folders, imported hourly. A source whose file is missing is withdrawn until the file is back."""

import logging
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db import transaction

from corpus.models import Collection, Import, Lecture, Work

from .collections import collection_ensure
from .importing import sources_import
from .publishing import source_publish, source_withdraw
from .report import ImportOutcome, ImportReport
from .uploads import import_record

logger = logging.getLogger(__name__)
GONE = "its file is gone"


def folders_import() -> None:
    """Import every watched folder (LECTORIUM_SOURCES). If some fail, the others are still imported."""
    failures = []
    for key, folder in settings.SOURCES.items():
        try:
            folder_import(folder=folder, collection=collection_ensure(key=key))
        except Exception as error:
            logger.exception("cannot import the watched folder %s", folder)
            failures.append(error)  # the first is raised once the other folders had their turn
    if failures:
        raise failures[0]


def folder_import(*, folder: Path, collection: Collection) -> ImportReport:
    """Import a folder and withdraw the sources whose files are missing.

    Nothing is withdrawn if nothing can be read, as on an unmounted share, or if the file is refused. Can be repeated
    after a kill, since each source's state follows from the folder.
    """
    report = sources_import(paths=[folder], collection=collection, outcomes_kept=None)
    if any(outcome.key for outcome in report.outcomes):
        report = ImportReport((*report.outcomes, *_follow_files(folder, collection, report)))
    if report.changed_anything or _refusals(report) != _last_refusals(folder, collection):
        import_record(paths=[folder], collection=collection, report=report)
    return report


def _follow_files(folder: Path, collection: Collection, report: ImportReport) -> Iterator[ImportOutcome]:
    """Update where each source was found; withdraw or publish those whose file went missing or came back."""
    there = {(outcome.kind, outcome.key): outcome.source for outcome in report.outcomes if outcome.key}
    unread = tuple(outcome.source for outcome in report.refused)
    for kind, model in (("lecture", Lecture), ("work", Work)):
        sources = model._default_manager.filter(collection=collection)
        for source in sources.only("key", "title", "state", "found_at", "withdrawn_because", "collection_id"):
            place = there.get((kind, source.key))
            if place:
                sources.filter(pk=source.pk).exclude(found_at=place).update(found_at=place)
                if source.withdrawn_because.startswith(GONE) and source_publish(source=source):
                    yield ImportOutcome(
                        place, "changed", title=source.title, remark="published again: its file is back"
                    )
            elif source.found_at.startswith(f"{folder}/") and not _lies_in(source.found_at, unread):
                # Also clear the path, so that an editor who publishes the source is not overruled.
                with transaction.atomic():
                    sources.filter(pk=source.pk).update(found_at="")
                    withdrawn = source_withdraw(source=source, because=f"{GONE}: {source.found_at}")
                if withdrawn:
                    yield ImportOutcome(source.found_at, "changed", title=source.title, remark=f"withdrawn: {GONE}")


def _lies_in(place: str, files: tuple[str, ...]) -> bool:
    """Was a source found in one of these files? A file of several sources is followed by the key of each."""
    return any(place == file or place.startswith((f"{file}/", f"{file} (")) for file in files)


def _refusals(report: ImportReport) -> set[tuple[str, str]]:
    return {(outcome.source, outcome.problem) for outcome in report.refused}


def _last_refusals(folder: Path, collection: Collection) -> set[tuple[str, str]]:
    last = Import.objects.filter(collection=collection, files=[[str(folder), 0]]).first()
    return {(row[0], row[3]) for row in last.outcomes if row[1] == "refused"} if last else set()
