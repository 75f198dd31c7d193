"""Embeds changed chunks and their sentences. Any number of workers can share a run; a killed one loses one batch.

If a `contextualize` model is configured, it situates each new chunk before that is embedded.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Exists, QuerySet
from django.db.models.functions import Length
from django.utils import timezone

from corpus.curated_port import index_entries
from corpus.domain.embedded import text_to_embed
from corpus.indexing import leases
from corpus.indexing.context_sentences import ContextWriter, unsituated
from corpus.indexing.due_chunks import KNOWN_TEXTS, DueChunk, KnownVectors, Vectors, embed_batch, vector_rows
from corpus.indexing.duplicates import duplicates_link
from corpus.indexing.terms import refresh_terms
from corpus.indexing.vector_index import vector_index_build, vector_index_drop, vectors_copy
from corpus.models import Chunk, ChunkVector, EmbeddingSpace, IndexRun, SentenceVector
from corpus.models.spaces import SILENT_AFTER
from corpus.selectors import corpus_version, current_vector, serving_space
from corpus.services.spaces import space_ensure, space_fill_end
from lectorium.only_run import wait_for_lock
from lectorium.providers import registry
from lectorium.providers.protocols import Embedder

OnProgress = Callable[[int, int], None]
_TABLES = ", ".join(model._meta.db_table for model in (ChunkVector, SentenceVector, Chunk))


@dataclass(frozen=True, slots=True)
class IndexPace:
    """batch: chunks embedded and stored together. claimed: chunks claimed and sorted by length together, to reduce
    padding.
    lease: how long a silent run keeps its claims.
    """

    batch: int = 256
    claimed: int = 4096
    lease: timedelta = SILENT_AFTER


PACE = IndexPace()


@dataclass(frozen=True, slots=True)
class IndexReport:
    """Chunks embedded, seconds taken, chunks claimed by other runs, and chunks situated by a model."""

    embedded: int = 0
    seconds: float = 0.0
    left: int = 0
    situated: int = 0

    @property
    def rate(self) -> float:
        """Chunks per second."""
        return self.embedded / self.seconds if self.seconds else 0.0


def embed_changed(
    pace: IndexPace = PACE, on_progress: OnProgress | None = None, *, situate_all: bool = False
) -> IndexReport:
    """Link duplicates, then update every space that is not retired. Safe to run on several hosts at once.

    situate_all: situate every chunk without a model's sentence, not only new and changed ones. If a space fails, the
    others are still updated before the first error is raised.
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
    """Ensure the configured space and link duplicates; an error is recorded as a failed run."""
    try:
        space_ensure(registry.embedder())
        duplicates_link()
    except Exception as error:
        if space := serving_space():  # before the first space there is no index to fall behind
            leases.run_fail(space=space, error=f"{type(error).__name__}: {error}")
        raise


def space_embed(
    space: EmbeddingSpace, pace: IndexPace, on_progress: OnProgress | None = None, *, situate_all: bool = False
) -> IndexReport:
    """Embed the chunks that are missing or outdated in the space. The last worker to finish completes the space.

    Each batch is committed, so the next run resumes a killed one. `on_progress(done, total)` follows each batch.
    """
    begun, embedded = time.monotonic(), 0
    with ContextWriter(indexed=situate_all) as situating:
        if total := _due(space, situating).count():
            run = leases.run_begin(space=space, total=total)
            if total >= ChunkVector.objects.filter(space_id=space.pk).count():
                vector_index_drop(
                    space=space
                )  # an index is slow to fill: rebuild it after a load that doubles the space
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
    index_entries(space)  # pins and notes, before the space counts as up to date
    if not left:
        _complete(space, embedded)
    return IndexReport(embedded, seconds, left, situating.written)


def chunks_to_embed() -> int:
    """How many vectors are missing or outdated over all spaces in use."""
    return sum(outdated(space).count() for space in EmbeddingSpace.objects.exclude(state=EmbeddingSpace.State.RETIRED))


def outdated(space: EmbeddingSpace) -> QuerySet[Chunk]:
    """Chunks without a vector of their current text, or without sentence vectors."""
    return Chunk.objects.filter(~Exists(current_vector(space)))


def _due(space: EmbeddingSpace, situating: ContextWriter) -> QuerySet[Chunk]:
    """The chunks a run processes: outdated ones and, if it situates all, those without a model's sentence."""
    return outdated(space) | unsituated() if situating.indexed else outdated(space)


def _embed_all(run: IndexRun, total: int, pace: IndexPace, situating: ContextWriter) -> Iterator[int]:
    """Claim shares until none is free; yield the size of each stored batch."""
    embedder = registry.embedder(run.space.model)
    wanted = max(1, min(leases.SHARES, leases.SHARES * pace.claimed // total))
    done: list[int] = []
    known = KnownVectors(KNOWN_TEXTS)
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="embed") as model:
        while shares := leases.claim(run, wanted, pace.lease, done):
            batches = _batches(run, shares, pace, situating)
            for batch, vectors in _embedded(batches, embedder, known, model):
                yield _store(run, shares, pace.lease, batch, vectors)
            leases.release(run)
            done += shares


def _embedded(
    batches: Iterator[list[DueChunk]], embedder: Embedder, known: KnownVectors, model: ThreadPoolExecutor
) -> Iterator[tuple[list[DueChunk], Vectors]]:
    """Embed on a second thread, so that the model never waits for the database."""
    pending = None
    for batch in batches:
        following = model.submit(embed_batch, embedder, batch, known)
        if pending:
            yield pending[0], pending[1].result()
        pending = (batch, following)
    if pending:
        yield pending[0], pending[1].result()


def _batches(
    run: IndexRun, shares: Sequence[int], pace: IndexPace, situating: ContextWriter
) -> Iterator[list[DueChunk]]:
    """The outdated chunks of the shares in batches, longest first, situated by a model."""

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
    """Store a batch's vectors, except for chunks that an import is changing or has changed."""
    with transaction.atomic():
        leases.hold(run, shares, lease)
        # Skip locked rows: an import is changing them, and neither side should wait.
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
    """Build the index, refresh word statistics and mark the space as up to date. Concurrent workers take turns."""
    with transaction.atomic(), connection.cursor() as cursor:
        wait_for_lock("corpus index")
        vector_index_build(space=space)
        version = corpus_version()
        space.refresh_from_db()
        if embedded or space.indexed_version != version:
            refresh_terms()
            cursor.execute(f"ANALYZE {_TABLES}")
        space_fill_end(space=space, at=timezone.now(), version=version)
    if embedded and not connection.in_atomic_block:  # VACUUM cannot run in a transaction
        with connection.cursor() as cursor:
            cursor.execute(f"VACUUM {_TABLES}")
