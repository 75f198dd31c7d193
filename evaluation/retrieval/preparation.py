"""Imports and indexes a set's passages in a database that contains nothing else."""

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
    """The corpus has other collections; the message explains how to use a separate state folder."""


def prepare(chosen: QuestionSet, data: Path, on_progress: Callable[[int, int], None] | None = None) -> ImportReport:
    """Import and index the set's passages, skipping those already present. A new database is migrated first.

    Raises OtherCorpusPresent before writing anything if there are other collections, so that an operator's corpus is
    neither searched nor changed, and FileNotFoundError without the data.
    """
    if Collection._meta.db_table not in connection.introspection.table_names():
        call_command("migrate", verbosity=0, interactive=False)
    others = Collection.objects.exclude(key=chosen.collection).values_list("key", flat=True)
    if others:
        raise OtherCorpusPresent(
            f"The corpus contains {', '.join(sorted(others))}. The {chosen.title} test needs a state of its own: "
            f"LECTORIUM_STATE=$(mktemp -d) manage.py evaluate retrieval --set {chosen.key}"
        )
    with TemporaryDirectory(prefix="lectorium-") as folder:
        chosen.write(data, Path(folder))
        report = sources_import(paths=[Path(folder)], collection=collection_ensure(key=chosen.collection))
    embed_changed(PACE, on_progress)
    return report
