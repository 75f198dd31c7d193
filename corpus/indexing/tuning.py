"""Measures how many rows a vector search must look at to reach a recall, with real questions in the real space."""

from collections import Counter
from collections.abc import Callable, Iterator

from django.db import router

from corpus.domain.nearness import TRIED, TRIED_IN_BITS, fewest_rows
from corpus.domain.scope import Scope
from corpus.indexing import nearest
from corpus.models import ChunkVector, EmbeddingSpace, SentenceVector
from lectorium.providers.protocols import Matrix

Found = list[list[nearest.Neighbour]]
TOGETHER = 20  # questions in a statement
ALL = Scope()


def space_tune(*, space: EmbeddingSpace, questions: Matrix, tell: Callable[[str], None]) -> None:
    """Store what each of the space's indexes needs; a table that is searched exactly needs nothing.

    questions: their vectors. tell: is told each measurement.
    """
    tuned = {}
    for model, limit in ((ChunkVector, nearest.RULES.depth), (SentenceVector, _sentences())):
        name, rows = str(model._meta.model_name), nearest.estimated_rows(model, space, ALL, router.db_for_read(model))
        if rows < nearest.RULES.exact_below:
            tell(f"{name}: {rows:,} vectors are searched exactly")
            continue
        measured = _recalls(model, space, questions, limit, tell)
        tuned[name] = {"rows": rows, **fewest_rows(measured)}
    EmbeddingSpace.objects.filter(pk=space.pk).update(tuned=tuned)


def _sentences() -> int:
    return nearest.RULES.sentences * nearest.RULES.depth


def _recalls(
    model: type[nearest.VectorModel],
    space: EmbeddingSpace,
    questions: Matrix,
    limit: int,
    tell: Callable[[str], None],
) -> Iterator[tuple[int, float]]:
    """(rows looked at, recall) in ascending order of rows; measured as they are asked for."""
    exact = _found(model, space, questions, limit, None)
    tried = (*TRIED, *TRIED_IN_BITS) if space.dtype == space.Dtype.BINARY else TRIED
    for most in tried:
        if most < limit:
            continue
        reached = recall(_found(model, space, questions, limit, most), exact)
        tell(f"{model._meta.model_name}: {most:,} rows looked at, recall {reached:.3f}")
        yield most, reached


def _found(
    model: type[nearest.VectorModel], space: EmbeddingSpace, questions: Matrix, limit: int, most: int | None
) -> Found:
    return [
        neighbours
        for first in range(0, len(questions), TOGETHER)
        for neighbours in nearest.search(model, space, questions[first : first + TOGETHER], ALL, limit, most)
    ]


def recall(found: Found, exact: Found) -> float:
    """The share of the truly nearest that were found, over all questions."""
    hits = total = 0
    for some, nearest_ones in zip(found, exact, strict=True):
        wanted = Counter(chunk_id for _, chunk_id in nearest_ones)
        hits += (wanted & Counter(chunk_id for _, chunk_id in some)).total()
        total += wanted.total()
    return hits / total if total else 1.0
