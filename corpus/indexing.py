"""Embedding what changed. One run at a time; a killed run loses at most the batch it was in."""

import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Length
from django.utils import timezone
from pgvector import HalfVector
from pgvector.psycopg import register_vector

from corpus.models import Chunk, ChunkVector, EmbeddingSpace
from corpus.terms import refresh_terms
from lectorium.providers import registry
from lectorium.providers.protocols import Embedder, Matrix

WINDOW = 16_384  # chunks sorted by length together: little padding, bounded memory
BUILD_MEMORY = "512MB"  # the HNSW graph of 300,000 chunks fits; beyond it the build is slower, not wrong
HNSW = "m = 16, ef_construction = 64"  # recall@10 0.985 at ef 40 on 200,000 rows (docs/database.md)

OnProgress = Callable[[int, int], None]
Stamped = tuple[UUID, str, str]  # chunk id, content hash, text to embed


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What a run did. `busy`: another run holds the lock, so nothing was done. Seconds spent embedding and in all."""

    embedded: int = 0
    seconds: float = 0.0
    busy: bool = False

    @property
    def rate(self) -> float:
        """Chunks a second."""
        return self.embedded / self.seconds if self.seconds else 0.0


def embed_changed(batch: int = 256, on_progress: OnProgress | None = None) -> IndexReport:
    """Embed every chunk whose vector is missing or out of date, and see to the space's index.

    Each batch is committed, so a run that dies is resumed by the next. `on_progress(done, total)` follows each batch.
    """
    with _only_run() as alone:
        if not alone:
            return IndexReport(busy=True)
        embedder = registry.embedder()
        space = space_ensure(embedder)
        begun = time.monotonic()
        embedded = _embed_all(space, embedder, batch, on_progress)
        seconds = time.monotonic() - begun
        _finish(space, embedded)
        return IndexReport(embedded, seconds)


def text_to_embed(text: str) -> str:
    """Return what is embedded for a chunk's text."""
    return text


def space_ensure(embedder: Embedder) -> EmbeddingSpace:
    """Return the embedder's space; the first one ever made serves."""
    space, _ = EmbeddingSpace.objects.get_or_create(model=embedder.name, width=embedder.width)
    if not EmbeddingSpace.objects.filter(state=EmbeddingSpace.State.SERVING).exists():
        space.state = EmbeddingSpace.State.SERVING
        space.save(update_fields=["state"])
    return space


def outdated(space: EmbeddingSpace) -> QuerySet[Chunk]:
    """Return the chunks that have no vector in the space, or one of an earlier text."""
    current = ChunkVector.objects.filter(
        chunk_id=OuterRef("pk"), space_id=space.pk, content_hash=OuterRef("content_hash")
    )
    return Chunk.objects.filter(~Exists(current))


def _embed_all(space: EmbeddingSpace, embedder: Embedder, batch: int, on_progress: OnProgress | None) -> int:
    """Embed on one thread while this one reads and writes: the model never waits for the database."""
    total, done = outdated(space).count(), 0
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="embed") as model:
        written: Sequence[Stamped] = ()
        pending = None
        for stamped in _batches(space, batch):
            following = model.submit(embedder.embed_passages, [text for _, _, text in stamped])
            if pending:
                done += _store(space, written, pending.result())
                _tell(on_progress, done, total)
            written, pending = stamped, following
        if pending:
            done += _store(space, written, pending.result())
            _tell(on_progress, done, total)
    return done


def _tell(on_progress: OnProgress | None, done: int, total: int) -> None:
    if on_progress:
        on_progress(done, total)


def _batches(space: EmbeddingSpace, batch: int) -> Iterator[list[Stamped]]:
    """Yield the outdated chunks in batches, longest first within each window of ids."""
    last = UUID(int=0)
    while window := list(outdated(space).filter(pk__gt=last).order_by("pk").values_list("pk", Length("text"))[:WINDOW]):
        last = window[-1][0]
        ids = [pk for pk, _ in sorted(window, key=lambda row: -row[1])]
        for start in range(0, len(ids), batch):
            yield _stamped(ids[start : start + batch])


def _stamped(ids: Sequence[UUID]) -> list[Stamped]:
    rows = Chunk.objects.filter(pk__in=ids).order_by().values_list("pk", "content_hash", "text")
    return [(pk, content_hash, text_to_embed(text)) for pk, content_hash, text in rows]


def _store(space: EmbeddingSpace, stamped: Sequence[Stamped], vectors: Matrix) -> int:
    """Write a batch's vectors, save those of chunks that were changed or deleted in the meantime."""
    with transaction.atomic():
        now = dict(
            Chunk.objects.select_for_update(no_key=True)
            .filter(pk__in=[pk for pk, _, _ in stamped])
            .order_by()
            .values_list("pk", "content_hash")
        )
        rows = [
            (uuid4(), pk, space.pk, content_hash, HalfVector(vector))
            for (pk, content_hash, _), vector in zip(stamped, vectors, strict=True)
            if now.get(pk) == content_hash
        ]
        ChunkVector.objects.filter(space_id=space.pk, chunk_id__in=[row[1] for row in rows])._raw_delete("default")
        _copy(rows)
    return len(rows)


def _copy(rows: Sequence[tuple[UUID, UUID, UUID, str, HalfVector]]) -> None:
    """COPY is ten times faster than INSERT, so writing stays hidden behind embedding."""
    table = ChunkVector._meta.db_table
    columns = "id, chunk_id, space_id, content_hash, embedding"
    register_vector(connection.connection)  # before the cursor, which keeps the types known when it was made
    copying = f"COPY {table} ({columns}) FROM STDIN (FORMAT BINARY)"
    with connection.cursor() as cursor, cursor.copy(copying) as copy:
        copy.set_types(["uuid", "uuid", "uuid", "varchar", "halfvec"])
        for row in rows:
            copy.write_row(row)


def _finish(space: EmbeddingSpace, embedded: int) -> None:
    _build_index(space)
    if embedded:
        refresh_terms()
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE {ChunkVector._meta.db_table}, {Chunk._meta.db_table}")
    EmbeddingSpace.objects.filter(pk=space.pk).update(indexed_at=timezone.now())


def _build_index(space: EmbeddingSpace) -> None:
    """Build the space's HNSW index where there is none: after the first load, because loading first is faster."""
    name = f"chunkvector_hnsw_{space.pk.hex[:12]}"
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL maintenance_work_mem = %s", [BUILD_MEMORY])
        cursor.execute(
            f"CREATE INDEX IF NOT EXISTS {name} ON {ChunkVector._meta.db_table} "
            f"USING hnsw ((embedding::halfvec({space.width})) halfvec_cosine_ops) WITH ({HNSW}) "
            f"WHERE space_id = '{space.pk}'"
        )


@contextmanager
def _only_run() -> Iterator[bool]:
    """Hold the lock that keeps a second run from doing the same work; yields whether it is ours."""
    key = zlib.crc32(b"lectorium corpus index")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [key])
        (ours,) = cursor.fetchone()
    try:
        yield ours
    finally:
        if ours:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [key])
