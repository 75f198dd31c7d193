"""Imports in admin: upload, preview, confirm."""

import logging
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from corpus.curated_port import MAY_KEEP_STATES
from corpus.domain.text.traced import storable
from corpus.import_events import import_ended
from corpus.importers.naming import file_name
from corpus.importers.refusal import ImportRefused, quoted_error
from corpus.models import Collection, Import

from .importing import sources_import
from .queueing import job_queue
from .report import OUTCOMES_KEPT, ImportOutcome, ImportProgress, ImportReport

FOLDER = "imports"
FOLDER_MARK = "handed-in"  # the folder an import is read from
PROGRESS_STEP = 10  # sources, or one percent of the verses, between writes of the progress
DEADLINE = 3000.0  # of the 3,600 seconds a job may take; one more file may take 300
State = Import.State
AT_WORK = (State.UPLOADED, State.CONFIRMED)
ABANDONED_AFTER = timedelta(hours=4)  # a job has three attempts, 65 minutes apart
ABANDONED = "The worker stopped before finishing, or none is running; see its log."
UNFINISHED = (State.UPLOADED, State.PREVIEWED, State.CONFIRMED, State.FAILED)

logger = logging.getLogger(__name__)


def import_upload(*, files: "Sequence[File[Any]]", collection: Collection, by: Any) -> Import:
    """Store the files, whose names are distinct, and queue the preview. Raises ImportRefused where storing fails."""
    row = Import.objects.create(collection=collection, by=by, files=[[file.name, file.size] for file in files])
    try:
        for number, file in enumerate(files):
            default_storage.save(_place(row.pk, number), file)
    except Exception as error:  # remote storages raise their own errors
        logger.exception("storing the files of import %s failed", row.pk)
        _delete_files(row.pk)
        row.delete()
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise ImportRefused(
            f"The files could not be stored ({reason}), and none were. Check the free space."
        ) from error
    job_queue("preview_import", str(row.pk))
    return row


def import_preview(*, import_id: UUID) -> str:
    """Run the import and roll it back; return a one-line summary."""
    return _run(import_id, State.UPLOADED, State.PREVIEWED, keep=False)


def import_confirm(*, import_id: UUID) -> bool:
    """Queue the import; False where it is no longer waiting for confirmation."""
    with transaction.atomic():
        if not _move(import_id, State.PREVIEWED, State.CONFIRMED):
            return False
        job_queue("commit_import", str(import_id))
    return True


def import_commit(*, import_id: UUID) -> str:
    """Import, delete the uploaded files and queue indexing; return a one-line summary. Can be repeated after a kill."""
    said = _run(import_id, State.CONFIRMED, State.DONE, keep=True)
    if Import.objects.filter(pk=import_id, state=State.DONE).exists():
        _delete_files(import_id)
        job_queue("index_corpus")
    return said


def import_discard(*, import_id: UUID) -> bool:
    """Discard an unfinished import; False where there is none.

    A running worker stops at its next progress update; sources stored by then stay.
    """
    if not any(_move(import_id, state, State.DISCARDED) for state in UNFINISHED):
        return False
    _delete_files(import_id)
    return True


def imports_close_abandoned() -> int:
    """Fail imports whose worker was killed and will not retry; return how many."""
    # By the database's clock. An import touched hours from now was left behind while the clock ran ahead.
    touched = Q(touched_at__lt=Now() - ABANDONED_AFTER) | Q(touched_at__gt=Now() + ABANDONED_AFTER)
    abandoned = Import.objects.filter(touched, state__in=AT_WORK).values_list("pk", "state")
    return sum(_end(key, before, State.FAILED, problem=ABANDONED) for key, before in list(abandoned))


def uploads_expire() -> int:
    """Discard imports unconfirmed for LECTORIUM_UPLOAD_DAYS (0: never); return how many."""
    if not settings.UPLOAD_DAYS:
        return 0
    late = timezone.now() - timedelta(days=settings.UPLOAD_DAYS)
    old = Import.objects.filter(state__in=(State.PREVIEWED, State.FAILED), touched_at__lt=late)
    keys = list(old.values_list("pk", flat=True))
    old.filter(state=State.PREVIEWED).update(problem=f"Not confirmed within {settings.UPLOAD_DAYS} days.")
    return sum(import_discard(import_id=key) for key in keys)


@transaction.atomic
def import_record(*, paths: Sequence[Path], collection: Collection, report: ImportReport, by: Any = None) -> Import:
    """Record an import that is done in the history; `by` is None for a command's."""
    row = Import.objects.create(
        collection=collection,
        by=by,
        state=State.DONE,
        files=[[str(path), path.stat().st_size if path.is_file() else 0] for path in paths],
        finished_at=timezone.now(),
        **_summary(report),
    )
    import_ended.send(sender=Import, row=row)
    return row


class _ImportDiscarded(Exception):
    """An editor discarded the import."""


class _ImportOverdue(Exception):
    """The import exceeded the time limit of a worker."""


class _ProgressWriter(ImportProgress):
    """Stores the progress from time to time.

    Raises _ImportDiscarded once the import has left its state, and _ImportOverdue before the worker would be killed.
    """

    def __init__(self, import_id: UUID, state: str) -> None:
        self._rows = Import.objects.filter(pk=import_id, state=state)
        self._done = self._total = self._told = 0
        self._begun = time.monotonic()

    def grow(self, amount: int) -> None:
        self._total += amount
        if time.monotonic() - self._begun > DEADLINE:
            raise _ImportOverdue

    def advance(self, amount: int = 1) -> None:
        self._done += amount
        if self._done - self._told >= max(PROGRESS_STEP, self._total // 100):
            self._told = self._done
            if not self._rows.update(done=self._done, total=self._total, touched_at=Now()):
                raise _ImportDiscarded


def _run(import_id: UUID, before: str, after: str, *, keep: bool) -> str:
    if not _move(import_id, before, before):
        return "nothing to do"
    row = Import.objects.select_related("collection", "by").get(pk=import_id)
    try:
        with _files_of(row) as paths:
            progress = _ProgressWriter(import_id, before)
            report = sources_import(
                paths=paths,
                collection=row.collection,
                keep=keep,
                keep_states=bool(row.by and row.by.has_perm(MAY_KEEP_STATES)),
                progress=progress,
            )
    except _ImportDiscarded:
        return "discarded"
    except Exception as error:  # editors must see any error, and can then discard the import
        logger.exception("import %s failed", import_id)
        _end(import_id, before, State.FAILED, problem=_said(error))
        raise
    (_end if keep else _move)(import_id, before, after, **_summary(report))
    return f"{report.sources} sources, {len(report.refused)} refused"


def _said(error: Exception) -> str:
    if isinstance(error, _ImportOverdue):
        return f"It took longer than {DEADLINE // 60:.0f} minutes; upload the files in several parts."
    return f"It failed ({type(error).__name__}: {storable(quoted_error(error))}); see the worker's log."


def _summary(report: ImportReport) -> dict[str, Any]:
    names = ("imported", "changed", "unchanged", "refused")
    counts: dict[str, int] = {name: report.count(name) for name in names}  # type: ignore[arg-type]
    counts |= {"chunks": report.chunks, "duplicates": report.duplicates}
    # Refusals first, because editors must see those.
    ordered = sorted(report.outcomes, key=lambda outcome: outcome.state != "refused")[:OUTCOMES_KEPT]
    return {"counts": counts, "outcomes": [_row(outcome) for outcome in ordered]}


def _row(outcome: ImportOutcome) -> list[Any]:
    # The path of the temporary folder means nothing to an editor.
    source = outcome.source.rpartition(f"/{FOLDER_MARK}/")[2] or outcome.source
    said = outcome.problem or outcome.remark
    row = [source, outcome.state, outcome.chunks, said, outcome.title, outcome.beginning]
    return [*row, outcome.sample, outcome.dropped] if outcome.sample else row


@contextmanager
def _files_of(row: Import) -> Iterator[list[Path]]:
    """A local folder with the uploaded files, since the storage may be remote."""
    with TemporaryDirectory(prefix="lectorium-") as temporary:
        folder = Path(temporary) / FOLDER_MARK
        folder.mkdir()
        for number, (name, _) in enumerate(row.files):
            place = folder / file_name(name)
            with default_storage.open(_place(row.pk, number)) as stored, place.open("wb") as local:
                shutil.copyfileobj(stored, local)
        yield sorted(folder.iterdir())


def _delete_files(import_id: UUID) -> None:
    # Some storages cannot list a folder.
    for number in range(len(Import.objects.get(pk=import_id).files)):
        default_storage.delete(_place(import_id, number))
    default_storage.delete(f"{FOLDER}/{import_id}")


def _place(import_id: UUID, number: int) -> str:
    """The storage name of a file: its number, because its own name may be too long."""
    return f"{FOLDER}/{import_id}/{number}"


def _move(import_id: UUID, before: str, after: str, **values: Any) -> bool:
    rows = Import.objects.filter(pk=import_id, state=before)
    return bool(rows.update(state=after, touched_at=Now(), **values))


@transaction.atomic
def _end(import_id: UUID, before: str, after: str, **values: Any) -> bool:
    """Move an import to its end and announce that, or neither."""
    has_moved = _move(import_id, before, after, finished_at=timezone.now(), **values)
    if has_moved:
        import_ended.send(sender=Import, row=Import.objects.select_related("collection").get(pk=import_id))
    return has_moved
