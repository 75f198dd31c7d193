"""Embedding what changed, once, whatever is interrupted."""

import threading

import numpy as np
import pytest
from django.db import connection, connections

from corpus import indexing
from corpus.models import Chunk, ChunkVector, EmbeddingSpace
from corpus.selectors import corpus_size, serving_space
from corpus.tasks import index_corpus
from lectorium.providers import registry
from lectorium.providers.hashing import HashingEmbedder
from tests.factories import a_collection, a_lecture, a_work


@pytest.mark.django_db
def test_every_chunk_gets_a_vector_and_a_second_run_finds_nothing_to_do():
    a_work({f"John 1:{n}": f"verse number {n}" for n in range(1, 12)})
    seen = []
    report = indexing.embed_changed(batch=4, on_progress=lambda done, total: seen.append((done, total)))
    assert report.embedded == 11
    assert seen == [(4, 11), (8, 11), (11, 11)]
    assert indexing.embed_changed().embedded == 0


@pytest.mark.django_db
def test_a_stored_vector_is_that_of_its_own_chunk():
    a_lecture("Alpha beta.", key="a")
    a_lecture("Gamma delta epsilon and more.", key="b")
    indexing.embed_changed()
    for vector in ChunkVector.objects.select_related("chunk"):
        (expected,) = registry.embedder().embed_passages([vector.chunk.text])
        assert np.allclose(vector.embedding, expected, atol=1e-3)
        assert vector.content_hash == vector.chunk.content_hash


@pytest.mark.django_db
def test_only_what_changed_is_embedded_again_and_what_vanished_takes_its_vector_along():
    a_work({"John 1:1": "one", "John 1:2": "two", "John 1:3": "three"})
    indexing.embed_changed()
    a_work({"John 1:1": "one", "John 1:2": "two, corrected"})
    assert indexing.embed_changed().embedded == 1
    assert ChunkVector.objects.count() == Chunk.objects.count() == 2


@pytest.mark.django_db
def test_the_first_space_serves_and_its_index_is_used():
    a_work({f"John 1:{n}": f"verse number {n}" for n in range(1, 30)})
    indexing.embed_changed()
    space = serving_space()
    assert (space.model, space.width) == ("hashing", 64)
    assert corpus_size().indexed_at is not None
    (vector,) = registry.embedder().embed_questions(["verse number 7"])
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_bitmapscan = off")
    nearest = ChunkVector.objects.nearest(space, vector)[:3]
    assert "hnsw" in nearest.explain()
    assert nearest[0].chunk.text == "verse number 7"


@pytest.mark.django_db
def test_another_model_builds_a_space_beside_the_serving_one():
    a_lecture("Alpha beta.")
    indexing.embed_changed()
    other = HashingEmbedder()
    other.name, other.width = "wider", 64
    registry.replace_embedder(other)
    assert indexing.embed_changed().embedded == 1
    assert dict(EmbeddingSpace.objects.values_list("model", "state")) == {"hashing": "serving", "wider": "building"}


@pytest.mark.django_db
def test_a_chunk_deleted_while_it_was_embedded_leaves_no_vector():
    a_lecture("Alpha beta.")

    embedder = HashingEmbedder()
    space = indexing.space_ensure(embedder)
    (stamped,) = indexing._batches(space, 8)
    Chunk.objects.all().delete()
    assert indexing._store(space, stamped, embedder.embed_passages([text for _, _, text in stamped])) == 0
    assert not ChunkVector.objects.exists()


class Dies(HashingEmbedder):
    calls = 0

    def embed_passages(self, texts):
        self.calls += 1
        if self.calls == 3:
            raise RuntimeError("killed")
        return super().embed_passages(texts)


@pytest.mark.django_db(transaction=True)
def test_a_run_that_dies_is_resumed_without_double_work():
    a_work({f"John 1:{n}": f"verse number {n}" for n in range(1, 13)})
    registry.replace_embedder(Dies())
    with pytest.raises(RuntimeError):
        indexing.embed_changed(batch=3)
    kept = ChunkVector.objects.count()
    assert 3 <= kept <= 6
    registry.replace_embedder(HashingEmbedder())
    assert indexing.embed_changed(batch=3).embedded == 12 - kept
    assert ChunkVector.objects.count() == 12


@pytest.mark.django_db(transaction=True)
def test_a_second_run_at_once_says_so_and_does_nothing():
    a_lecture("Alpha beta.", collection=a_collection())
    inside, done, reports = threading.Event(), threading.Event(), []

    class Waits(HashingEmbedder):
        def embed_passages(self, texts):
            inside.set()
            assert done.wait(20)
            return super().embed_passages(texts)

    def run():
        reports.append(indexing.embed_changed())
        connections.close_all()

    registry.replace_embedder(Waits())
    first = threading.Thread(target=run)
    first.start()
    assert inside.wait(20)
    assert index_corpus() == "another run is at work"
    done.set()
    first.join(20)
    assert reports[0].embedded == 1
    assert index_corpus().startswith("0 chunks")
