import numpy as np
import pytest

from chat.asking import operator
from chat.domain.question import Question
from chat.domain.viewer import Viewer
from chat.stages import retrieve
from chat.stages.plan import plan_question
from corpus.models import Chunk, ChunkVector, Collection, EmbeddingSpace
from corpus.terms import refresh_terms
from lectorium.providers.hashing import HashingEmbedder

pytestmark = pytest.mark.django_db(transaction=True)


def addresses(hits):
    return list(Chunk.objects.filter(pk__in=[hit.chunk_id for hit in hits]).values_list("address", flat=True))


def plan_of(text):
    return plan_question(Question(text, operator()))


def test_rare_words_outrank_common_ones(corpus):
    hits = retrieve.lexical_lane(plan_of("the banyan man").words, operator())
    assert hits[0].lane == "lexical"
    assert addresses(hits[:1]) == ["first-steps:1"]
    assert 0 < hits[0].value <= 1


def test_a_word_no_chunk_holds_is_found_by_its_spelling(corpus):
    hits = retrieve.lexical_lane(plan_of("What of the banyann?").words, operator())
    assert [hit.lane for hit in hits] == ["spelling"]
    assert addresses(hits) == ["first-steps:1"]


def test_an_address_finds_its_chunk_and_a_range_finds_each(corpus):
    assert addresses(retrieve.address_lane(plan_of("BG 2.47").address_keys, operator())) == ["BG 2.47"]
    both = retrieve.address_lane(plan_of("Read me BG 2.47-48").address_keys, operator())
    assert sorted(addresses(both)) == ["BG 2.47", "BG 2.48"]


@pytest.mark.parametrize("lane", ["dense", "lexical", "spelling", "address"])
def test_no_lane_finds_what_its_viewer_may_not_see(corpus, lane):
    hidden = Collection.objects.get(key="garden")
    others = tuple(Collection.objects.exclude(pk=hidden.pk).values_list("pk", flat=True))
    viewer = Viewer(collections=others)
    vectors = HashingEmbedder().embed_questions(["the gardener buried a silver compass"])
    hits = {
        "dense": lambda: retrieve.dense_lane(vectors, viewer),
        "lexical": lambda: retrieve.lexical_lane(("gardner", "silver", "compass"), viewer),
        "spelling": lambda: retrieve.lexical_lane(("compasss",), viewer),
        "address": lambda: retrieve.address_lane(("garden 1",), viewer),
    }[lane]()
    found = Chunk.objects.filter(pk__in=[hit.chunk_id for hit in hits])
    assert not found.filter(collection=hidden).exists()


async def test_a_viewer_of_nothing_finds_nothing(corpus):
    from lectorium.threads import in_thread

    pool = await retrieve.retrieve(await in_thread(plan_of, "banyan"), Viewer(), retrieve.PoolLimits())
    assert pool.candidates == ()


def test_a_filtered_search_finds_what_an_exact_one_does():
    """One chunk in a hundred is visible: a plain HNSW scan would return next to none of them (docs/database.md)."""
    rng = np.random.default_rng(7)
    space = EmbeddingSpace.objects.create(model="random", width=64, state="serving")
    shown, hidden = (Collection.objects.create(key=key, title=key) for key in ("shown", "hidden"))
    vectors = rng.normal(size=(4000, 64)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    chunks = Chunk.objects.bulk_create(
        Chunk(
            collection=shown if row % 100 == 0 else hidden, kind="library", ordinal=row, address=str(row), heading="",
            text="x", tokens=1, content_hash=str(row), folded_heading="", folded_text="x",
        )
        for row in range(len(vectors))
    )  # fmt: skip
    ChunkVector.objects.bulk_create(
        ChunkVector(chunk=chunk, space=space, content_hash=chunk.content_hash, embedding=vector)
        for chunk, vector in zip(chunks, vectors, strict=True)
    )
    from corpus.indexing import _build_index

    _build_index(space)
    refresh_terms()
    question = vectors[5:6]
    hits = retrieve.dense_lane(question, Viewer(collections=(shown.pk,)))
    exact = sorted(range(0, 4000, 100), key=lambda row: -float(vectors[row] @ question[0]))
    assert [chunk_row(hit) for hit in hits][:10] == exact[:10]


def chunk_row(hit):
    return Chunk.objects.values_list("ordinal", flat=True).get(pk=hit.chunk_id)
