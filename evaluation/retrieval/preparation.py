"""A set's passages imported and indexed, in a database that holds nothing else."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.management import call_command
from django.db import connection

from corpus.indexing.embedding import PACE, embed_changed
from corpus.models import Collection
from corpus.services import ImportReport, collection_ensure, sources_import
from evaluation.retrieval.sets import QuestionSet


class OtherCorpusPresent(RuntimeError):
    """The corpus holds something else than the set; the message says how to measure on a state of its own."""


def prepare(chosen: QuestionSet, data: Path, on_progress: Callable[[int, int], None] | None = None) -> ImportReport:
    """Import and index the set's passages; what is there already is skipped.

    A new database is migrated first. Raises OtherCorpusPresent, before anything is written, where other collections are
    there: an operator's corpus is neither searched nor added to. FileNotFoundError without the data.
    """
    if Collection._meta.db_table not in connection.introspection.table_names():
        call_command("migrate", verbosity=0, interactive=False)
    others = Collection.objects.exclude(key=chosen.collection).values_list("key", flat=True)
    if others:
        raise OtherCorpusPresent(
            f"The corpus holds {', '.join(sorted(others))}. The {chosen.title} figures need a state of their own: "
            f"LECTORIUM_STATE=$(mktemp -d) manage.py evaluate retrieval --set {chosen.key}"
        )
    with TemporaryDirectory(prefix="lectorium-") as folder:
        chosen.write(data, Path(folder))
        report = sources_import(paths=[Path(folder)], collection=collection_ensure(key=chosen.collection))
    embed_changed(PACE, on_progress)
    return report
