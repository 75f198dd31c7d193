"""Jobs of the corpus, safe to run twice."""

from uuid import UUID

from corpus.indexing import embed_changed
from corpus.services.uploads import import_commit, import_preview


def index_corpus() -> str:
    """Embed what changed; return one line for the job's record."""
    report = embed_changed()
    return "another run is at work" if report.busy else f"{report.embedded} chunks embedded in {report.seconds:.0f} s"


def preview_import(import_id: str) -> str:
    """Read what was handed in; return one line for the job's record."""
    return import_preview(import_id=UUID(import_id))


def commit_import(import_id: str) -> str:
    """Store what was confirmed; return one line for the job's record."""
    return import_commit(import_id=UUID(import_id))
