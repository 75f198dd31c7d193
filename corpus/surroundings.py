"""What stands around a passage in its source, and where a text that a reader was shown stands."""

import itertools
from collections.abc import Sequence
from uuid import UUID

from django.db.models import Q

from corpus.domain.passage import Passage, Span
from corpus.domain.scope import Scope
from corpus.indexing.nearest import nearest_sentences
from corpus.models import Chunk, EmbeddingSpace, SentenceVector
from corpus.selectors import passages, space_embedder


def chunks_around(chunk_ids: Sequence[UUID], scope: Scope) -> list[UUID]:
    """These chunks, then those right after and right before each in its source, as far as the scope has them."""
    found = Chunk.objects.within(scope, duplicates=True)
    given = {chunk.pk: chunk for chunk in found.filter(pk__in=chunk_ids).only("lecture_id", "work_id", "ordinal")}
    ordered = [given[chunk_id] for chunk_id in chunk_ids if chunk_id in given]
    if not ordered:
        return []
    beside = Q()
    for chunk in ordered:
        beside |= _source_of(chunk) & Q(ordinal__in=(chunk.ordinal - 1, chunk.ordinal + 1))
    rows = found.filter(beside).values_list("pk", "lecture_id", "work_id", "ordinal")
    at: dict[tuple[UUID | None, UUID | None, int], UUID] = {
        (lecture, work, ordinal): pk for pk, lecture, work, ordinal in rows
    }
    near = (at.get((chunk.lecture_id, chunk.work_id, chunk.ordinal + step)) for chunk in ordered for step in (1, -1))
    return list(dict.fromkeys([*(chunk.pk for chunk in ordered), *(pk for pk in near if pk)]))


def passages_onward(chunk_id: UUID, scope: Scope, most: int) -> list[tuple[Passage, int]]:
    """A chunk and those after it in its lecture, or its chapter, each with the character of the source it begins at.

    Verses, which do not overlap, count on from one another. At most `most`; none where the chunk is not in the scope.
    """
    found = Chunk.objects.within(scope, duplicates=True)
    chunk = found.filter(pk=chunk_id).only("lecture_id", "work_id", "ordinal", "address").first()
    if chunk is None:
        return []
    onward = found.filter(_source_of(chunk), ordinal__gte=chunk.ordinal).order_by("ordinal", "pk")
    rows = list(onward.values_list("pk", "address", "char_start")[:most])
    if not chunk.work_id:
        starts = {pk: start for pk, _, start in rows}
        return [(passage, starts[passage.chunk_id]) for passage in passages(list(starts))]
    chapter = passages([pk for pk, address, _ in rows if _chapter(address) == _chapter(chunk.address)])
    ends = itertools.accumulate(len(passage.text) for passage in chapter)
    return [(passage, end - len(passage.text)) for passage, end in zip(chapter, ends, strict=True)]


def nearest_place(text: str, space: EmbeddingSpace, scope: Scope, least: float) -> tuple[UUID, Span] | None:
    """The chunk and the span of the sentence nearest to a text; None where its cosine is below `least`."""
    vectors = space_embedder(space).embed_questions([text])
    for distance, chunk_id in nearest_sentences(space, vectors, scope, 1)[0]:
        if 1 - distance >= least:
            sentences = SentenceVector.objects.filter(chunk_id=chunk_id).nearest(space, vectors[0])
            # In no order, so that the few sentences of the chunk are compared, and no index of all is scanned for them.
            _, start, end = min(sentences.order_by().values_list("distance", "start", "end"))
            return chunk_id, (start, end)
    return None


def _source_of(chunk: Chunk) -> Q:
    return Q(lecture=chunk.lecture_id, work=chunk.work_id)


def _chapter(address: str) -> str:
    """The address of a verse without its last number: "BG 2" of "BG 2.47"."""
    return address.rstrip("0123456789-–").rstrip(".: ")
