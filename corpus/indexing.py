"""Embedding what changed: by any number of workers at once, each losing at most a batch when it is killed.

Where a `contextualize` model is configured, it is asked for the sentence of each new chunk before that is embedded.
"""

import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID, uuid4

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Length
from django.utils import timezone
from pgvector import HalfVector

from corpus import claims
from corpus.domain.embedded import text_to_embed
from corpus.duplicates import duplicates_link
from corpus.models import Chunk, ChunkVector, EmbeddingSpace, IndexRun
from corpus.models.spaces import SILENT_AFTER
from corpus.selectors import corpus_version, serving_space
from corpus.services.spaces import space_ensure, space_fill_end
from corpus.situating import Situating, unsituated
from corpus.terms import refresh_terms
from corpus.vector_index import vector_index_build, vector_index_drop, vectors_copy
from lectorium.providers import registry
from lectorium.providers.protocols import Embedder, Matrix

OnProgress = Callable[[int, int], None]
Stamped = tuple[UUID, str, str]  # chunk id, hash of what is embedded, text to embed


@dataclass(frozen=True, slots=True)
class Pace:
    """How a run works: chunks embedded and stored together, chunks claimed and sorted by length together (so that a
    batch needs little padding), and how long a silent run keeps what it claimed."""

    batch: int = 256
    claimed: int = 4096
    lease: timedelta = SILENT_AFTER


PACE = Pace()


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
    pace: Pace = PACE, on_progress: OnProgress | None = None, *, situate_all: bool = False
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
    return IndexReport(*(sum(getattr(one, name) for one in reports) for name in IndexReport.__slots__))


def _prepare() -> None:
    """Make sure of the configured space and link duplicates; what fails here is kept as a failed run."""
    try:
        space_ensure(registry.embedder())
        duplicates_link()
    except Exception as error:
        if space := serving_space():  # before the first one there is no index that could fall behind
            claims.run_fail(space=space, error=f"{type(error).__name__}: {error}")
        raise


def space_embed(
    space: EmbeddingSpace, pace: Pace, on_progress: OnProgress | None = None, *, situate_all: bool = False
) -> IndexReport:
    """Embed the chunks whose vector in the space is missing or out of date; the last worker to end completes the space.

    Each batch is committed, so a run that dies is resumed by the next. `on_progress(done, total)` follows each batch.
    """
    begun, embedded = time.monotonic(), 0
    with Situating(indexed=situate_all) as situating:
        if total := _due(space, situating).count():
            run = claims.run_begin(space=space, total=total)
            if total >= ChunkVector.objects.filter(space_id=space.pk).count():
                vector_index_drop(space=space)  # a load that doubles the space is indexed after it; until then exact
            try:
                for stored in _embed_all(run, total, pace, situating):
                    embedded += stored
                    if on_progress:
                        on_progress(embedded, total)
            except Exception as error:
                claims.run_finish(run=run, error=f"{type(error).__name__}: {error}", remark=situating.remark)
                raise
            claims.run_finish(run=run, remark=situating.remark)
    seconds = time.monotonic() - begun
    left = outdated(space).count() if total else 0
    if not left:
        _complete(space, embedded)
    return IndexReport(embedded, seconds, left, situating.written)


def chunks_to_embed() -> int:
    """Return how many vectors are missing or out of date, over all spaces that are kept up to date."""
    return sum(outdated(space).count() for space in EmbeddingSpace.objects.exclude(state=EmbeddingSpace.State.RETIRED))


def outdated(space: EmbeddingSpace) -> QuerySet[Chunk]:
    """Return the chunks that have no vector in the space, or one of an earlier text."""
    current = ChunkVector.objects.filter(
        chunk_id=OuterRef("pk"), space_id=space.pk, embedded_hash=OuterRef("embedded_hash")
    )
    return Chunk.objects.filter(~Exists(current))


def _due(space: EmbeddingSpace, situating: Situating) -> QuerySet[Chunk]:
    """Return what a run looks at: what is out of date and, where it situates all, what has no sentence by a model."""
    return outdated(space) | unsituated() if situating.indexed else outdated(space)


def _embed_all(run: IndexRun, total: int, pace: Pace, situating: Situating) -> Iterator[int]:
    """Claim shares until none is free, and yield how many chunks each stored batch held."""
    embedder = registry.embedder(run.space.model)
    wanted = max(1, min(claims.SHARES, claims.SHARES * pace.claimed // total))
    done: list[int] = []
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="embed") as model:
        while shares := claims.claim(run, wanted, pace.lease, done):
            batches = _batches(run, shares, pace, situating)
            for stamped, vectors in _embedded(batches, embedder, model):
                yield _store(run, shares, pace.lease, stamped, vectors)
            claims.release(run)
            done += shares


def _embedded(
    batches: Iterator[list[Stamped]], embedder: Embedder, model: ThreadPoolExecutor
) -> Iterator[tuple[list[Stamped], Matrix]]:
    """Embed on one thread while this one reads, asks and writes: the model never waits for the database."""
    pending = None
    for stamped in batches:
        following = model.submit(_vectors, embedder, [text for _, _, text in stamped])
        if pending:
            yield pending[0], pending[1].result()
        pending = (stamped, following)
    if pending:
        yield pending[0], pending[1].result()


def _vectors(embedder: Embedder, texts: Sequence[str]) -> Matrix:
    """Return a vector for each text, equal ones embedded once: in speech every fourth turn was said before."""
    places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    return embedder.embed_passages(list(places))[[places[text] for text in texts]]


def _batches(run: IndexRun, shares: Sequence[int], pace: Pace, situating: Situating) -> Iterator[list[Stamped]]:
    """Yield the shares' outdated chunks in batches, longest first, equal ones together; a model situates them."""

    def keep(situated: int) -> None:
        claims.hold(run, shares, pace.lease)
        claims.run_advance(run=run, situated=situated)

    rows = (
        _due(run.space, situating)
        .filter(claims.chunks_of(shares))
        .order_by()
        .values_list(Length("text"), "embedded_hash", "pk")
    )
    ids = [pk for _, _, pk in sorted(rows, reverse=True)]
    for start in range(0, len(ids), pace.batch):
        chosen = ids[start : start + pace.batch]
        situating.write(chosen, keep)
        if stamped := _stamped(run.space, chosen):
            yield stamped


def _stamped(space: EmbeddingSpace, ids: Sequence[UUID]) -> list[Stamped]:
    chunks = outdated(space).filter(pk__in=ids).order_by()
    rows = chunks.values_list("pk", "embedded_hash", "text", "situation")
    return [(pk, embedded_hash, text_to_embed(text, situation)) for pk, embedded_hash, text, situation in rows]


def _store(run: IndexRun, shares: Sequence[int], lease: timedelta, stamped: Sequence[Stamped], vectors: Matrix) -> int:
    """Write a batch's vectors, save those of chunks that an import changes or has changed in the meantime."""
    with transaction.atomic():
        claims.hold(run, shares, lease)
        # Locked rows are skipped, because an import that holds them is changing them; so nobody waits for anybody.
        unchanged = dict(
            Chunk.objects.select_for_update(no_key=True, skip_locked=True)
            .filter(pk__in=[pk for pk, _, _ in stamped])
            .order_by()
            .values_list("pk", "embedded_hash")
        )
        rows = [
            (uuid4(), pk, run.space_id, embedded_hash, HalfVector(vector))
            for (pk, embedded_hash, _), vector in zip(stamped, vectors, strict=True)
            if unchanged.get(pk) == embedded_hash
        ]
        ChunkVector.objects.filter(space_id=run.space_id, chunk_id__in=[row[1] for row in rows])._raw_delete("default")
        vectors_copy(rows)
    claims.run_advance(run=run, embedded=len(rows))
    return len(rows)


def _complete(space: EmbeddingSpace, embedded: int) -> None:
    """Build the index, count the words and say that the space is up to date; workers who end together take turns."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [zlib.crc32(b"lectorium corpus index")])
        vector_index_build(space=space)
        version = corpus_version()
        space.refresh_from_db()
        if embedded or space.indexed_version != version:
            refresh_terms()
            cursor.execute(f"ANALYZE {ChunkVector._meta.db_table}, {Chunk._meta.db_table}")
        space_fill_end(space=space, at=timezone.now(), version=version)
    if embedded and not connection.in_atomic_block:  # it is no part of any transaction
        with connection.cursor() as cursor:
            cursor.execute(f"VACUUM (ANALYZE) {ChunkVector._meta.db_table}, {Chunk._meta.db_table}")
