"""Queued jobs of the corpus. All are idempotent."""

from uuid import UUID

from django_q.tasks import async_task

from corpus.catalogue.mentions import mentions_refresh
from corpus.indexing.embedding import PACE, chunks_to_embed, embed_changed
from corpus.services.transcribing import transcription_run
from corpus.services.uploads import import_commit, import_preview, imports_close_abandoned, uploads_expire
from corpus.services.waiting_recordings import recordings_queue
from corpus.services.watching import folders_import

HELPERS = 15  # additional jobs that share a long run, on any host


def index_corpus() -> str:
    """Import the watched folders, link duplicates and embed changes; return a one-line summary.

    Large runs queue helper jobs. A failing folder does not stop the embedding.
    """
    try:
        folders_import()
    finally:
        said = _index_shared()
    return said


def _index_shared() -> str:
    for _ in range(min(HELPERS, chunks_to_embed() // PACE.claimed)):
        async_task("corpus.tasks.index_along")
    return index_along()


def index_along() -> str:
    """Take part in an index run; return a one-line summary."""
    report = embed_changed()
    mentions_refresh()
    others = f", {report.left} left to other runs" if report.left else ""
    situated = f", {report.situated} situated by a model" if report.situated else ""
    return f"{report.embedded} chunks embedded in {report.seconds:.0f} s{situated}{others}"


def preview_import(import_id: str) -> str:
    return import_preview(import_id=UUID(import_id))


def commit_import(import_id: str) -> str:
    return import_commit(import_id=UUID(import_id))


def transcribe_due() -> str:
    """Queue the recordings that wait for a transcript; return a one-line summary."""
    return f"{recordings_queue()} recordings queued for transcription"


def transcribe_recording(transcription_id: str) -> str:
    return transcription_run(transcription_id=UUID(transcription_id))


def tidy_imports() -> str:
    """Close abandoned imports and discard old uploads; return a one-line summary."""
    return f"{imports_close_abandoned()} abandoned imports closed, {uploads_expire()} old uploads discarded"
