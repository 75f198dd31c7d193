"""Embedding chunks that changed, and their sentences: any number of workers at once, each losing a batch when killed.

Where a `contextualize` model is configured, it is asked for the sentence of each new chunk before that is embedded.
"""

import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Exists, QuerySet
from django.db.models.functions import Length
from django.utils import timezone

from corpus.domain.embedded import text_to_embed
from corpus.indexing import leases
from corpus.indexing.context_sentences import ContextWriter, unsituated
from corpus.indexing.due_chunks import DueChunk, Vectors, embed_batch, vector_rows
from corpus.indexing.duplicates import duplicates_link
from corpus.indexing.terms import refresh_terms
from corpus.indexing.vector_index import vector_index_build, vector_index_drop, vectors_copy
from corpus.models import Chunk, ChunkVector, EmbeddingSpace, IndexRun, SentenceVector
from corpus.models.spaces import SILENT_AFTER
from corpus.selectors import corpus_version, current_vector, serving_space
from corpus.services.spaces import space_ensure, space_fill_end
from lectorium.providers import registry
from lectorium.providers.protocols import Embedder

OnProgress = Callable[[int, int], None]
_TABLES = ", ".join(model._meta.db_table for model in (ChunkVector, SentenceVector, Chunk))


@dataclass(frozen=True, slots=True)
class IndexPace:
    """How a run works: chunks embedded and stored together, chunks claimed and sorted by length together (so that a
    batch needs little padding), and how long a silent run keeps what it claimed."""

    batch: int = 256
    claimed: int = 4096
    lease: timedelta = SILENT_AFTER


PACE = IndexPace()


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What a run did: chunks embedded, seconds spent, chunks left to others who hold them, and chunks situated."""

    embedded: int = 0
    seconds: float = 0.0
    left: int = 0
    situated: int = 0

    @property
    def busy(self) -> bool:
        """Was there nothing to do here, because others hold it all?"""
        return bool(self.left) and not self.embedded

    @property
    def rate(self) -> float:
        """Chunks a second."""
        return self.embedded / self.seconds if self.seconds else 0.0


def embed_changed(
    pace: IndexPace = PACE, on_progress: OnProgress | None = None, *, situate_all: bool = False
) -> IndexReport:
    """Link duplicates, then bring every space up to date that answers or may be switched to.

    situate_all: have every chunk without a sentence by a model situated by one, not only those new or changed.
    Safe to run on several hosts at once. A space that fails keeps no other from its turn; its error is raised at last.
    """
    _prepare()
    reports, failures = [], []
    for space in EmbeddingSpace.objects.exclude(state=EmbeddingSpace.State.RETIRED).order_by("created_at"):
        try:
            anew = situate_all and space.state == EmbeddingSpace.State.SERVING
            reports.append(space_embed(space, pace, on_progress, situate_all=anew))
        except Exception as error:  # noqa: BLE001 - raised below, once the other spaces had their turn
            failures.append(error)
    if failures:
        raise failures[0]
    return IndexReport(*(sum(getattr(report, name) for report in reports) for name in IndexReport.__slots__))


def _prepare() -> None:
    """Make sure of the configured space and link duplicates; what fails here is kept as a failed run."""
    try:
        space_ensure(registry.embedder())
        duplicates_link()
    except Exception as error:
        if space := serving_space():  # before the first one there is no index that could fall behind
            leases.run_fail(space=space, error=f"{type(error).__name__}: {error}")
        raise


def space_embed(
    space: EmbeddingSpace, pace: IndexPace, on_progress: OnProgress | None = None, *, situate_all: bool = False
) -> IndexReport:
    """Embed the chunks that are missing or out of date in the space; the last worker to end completes the space.

    Each batch is committed, so a run that dies is resumed by the next. `on_progress(done, total)` follows each batch.
    """
    begun, embedded = time.monotonic(), 0
    with ContextWriter(indexed=situate_all) as situating:
        if total := _due(space, situating).count():
            run = leases.run_begin(space=space, total=total)
            if total >= ChunkVector.objects.filter(space_id=space.pk).count():
                vector_index_drop(space=space)  # a load that doubles the space is indexed after it; until then exact
            try:
                for stored in _embed_all(run, total, pace, situating):
                    embedded += stored
                    if on_progress:
                        on_progress(embedded, total)
            except Exception as error:
                leases.run_finish(run=run, error=f"{type(error).__name__}: {error}", remark=situating.remark)
                raise
            leases.run_finish(run=run, remark=situating.remark)
    seconds = time.monotonic() - begun
    left = outdated(space).count() if total else 0
    if not left:
        _complete(space, embedded)
    return IndexReport(embedded, seconds, left, situating.written)


def chunks_to_embed() -> int:
    """Return how many vectors are missing or out of date, over all spaces that are kept up to date."""
    return sum(outdated(space).count() for space in EmbeddingSpace.objects.exclude(state=EmbeddingSpace.State.RETIRED))


def outdated(space: EmbeddingSpace) -> QuerySet[Chunk]:
    """Return the chunks that have no vector in the space, one of an earlier text, or none for their sentences."""
    return Chunk.objects.filter(~Exists(current_vector(space)))


def _due(space: EmbeddingSpace, situating: ContextWriter) -> QuerySet[Chunk]:
    """Return what a run looks at: what is out of date and, where it situates all, what has no sentence by a model."""
    return outdated(space) | unsituated() if situating.indexed else outdated(space)


def _embed_all(run: IndexRun, total: int, pace: IndexPace, situating: ContextWriter) -> Iterator[int]:
    """Claim shares until none is free, and yield how many chunks each stored batch held."""
    embedder = registry.embedder(run.space.model)
    wanted = max(1, min(leases.SHARES, leases.SHARES * pace.claimed // total))
    done: list[int] = []
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="embed") as model:
        while shares := leases.claim(run, wanted, pace.lease, done):
            batches = _batches(run, shares, pace, situating)
            for batch, vectors in _embedded(batches, embedder, model):
                yield _store(run, shares, pace.lease, batch, vectors)
            leases.release(run)
            done += shares


def _embedded(
    batches: Iterator[list[DueChunk]], embedder: Embedder, model: ThreadPoolExecutor
) -> Iterator[tuple[list[DueChunk], Vectors]]:
    """Embed on one thread while this one reads, asks and writes: the model never waits for the database."""
    pending = None
    for batch in batches:
        following = model.submit(embed_batch, embedder, batch)
        if pending:
            yield pending[0], pending[1].result()
        pending = (batch, following)
    if pending:
        yield pending[0], pending[1].result()


def _batches(
    run: IndexRun, shares: Sequence[int], pace: IndexPace, situating: ContextWriter
) -> Iterator[list[DueChunk]]:
    """Yield the shares' outdated chunks in batches, longest first, equal ones together; a model situates them."""

    def keep(situated: int) -> None:
        leases.hold(run, shares, pace.lease)
        leases.run_advance(run=run, situated=situated)

    rows = (
        _due(run.space, situating)
        .filter(leases.chunks_of(shares))
        .order_by()
        .values_list(Length("text"), "embedded_hash", "pk")
    )
    ids = [pk for _, _, pk in sorted(rows, reverse=True)]
    for start in range(0, len(ids), pace.batch):
        chosen = ids[start : start + pace.batch]
        situating.write(chosen, keep)
        if batch := _due_chunks(run.space, chosen):
            yield batch


def _due_chunks(space: EmbeddingSpace, ids: Sequence[UUID]) -> list[DueChunk]:
    chunks = outdated(space).filter(pk__in=ids).order_by()
    rows = chunks.values_list("pk", "embedded_hash", "text", "situation")
    return [DueChunk(pk, stamp, text, text_to_embed(text, situation)) for pk, stamp, text, situation in rows]


def _store(run: IndexRun, shares: Sequence[int], lease: timedelta, batch: Sequence[DueChunk], vectors: Vectors) -> int:
    """Write a batch's vectors, except those of chunks that an import changes or has changed in the meantime."""
    with transaction.atomic():
        leases.hold(run, shares, lease)
        # Locked rows are skipped, because an import that holds them is changing them; so nobody waits for anybody.
        unchanged = dict(
            Chunk.objects.select_for_update(no_key=True, skip_locked=True)
            .filter(pk__in=[chunk.pk for chunk in batch])
            .order_by()
            .values_list("pk", "embedded_hash")
        )
        stored = [chunk for chunk in batch if unchanged.get(chunk.pk) == chunk.embedded_hash]
        for model in (SentenceVector, ChunkVector):
            earlier = model.objects.filter(space_id=run.space_id, chunk_id__in=[chunk.pk for chunk in stored])
            earlier._raw_delete("default")
        vectors_copy(*vector_rows(run.space_id, stored, vectors))
    leases.run_advance(run=run, embedded=len(stored))
    return len(stored)


def _complete(space: EmbeddingSpace, embedded: int) -> None:
    """Build the index, count the words and say that the space is up to date; workers who end together take turns."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [zlib.crc32(b"lectorium corpus index")])
        vector_index_build(space=space)
        version = corpus_version()
        space.refresh_from_db()
        if embedded or space.indexed_version != version:
            refresh_terms()
            cursor.execute(f"ANALYZE {_TABLES}")
        space_fill_end(space=space, at=timezone.now(), version=version)
    if embedded and not connection.in_atomic_block:  # it is no part of any transaction
        with connection.cursor() as cursor:
            cursor.execute(f"VACUUM (ANALYZE) {_TABLES}")
