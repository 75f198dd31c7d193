"""Embedding what changed, once, whatever is interrupted."""

import threading
import time
from datetime import timedelta
from functools import partial

import numpy as np
import pytest
from django.db import connection, connections
from django.utils import timezone
from django_q.models import OrmQ

from corpus import tasks
from corpus.indexing import embedding, leases
from corpus.indexing.context_sentences import ContextWriter
from corpus.indexing.due_chunks import KnownVectors
from corpus.indexing.embedding import IndexPace
from corpus.indexing.vector_index import vector_index_build
from corpus.models import Chunk, ChunkVector, Collection, EmbeddingSpace, IndexClaim, IndexRun, SentenceVector, Term
from corpus.selectors import corpus_size, serving_space, space_progress
from corpus.services import source_withdraw, sources_import
from corpus.tasks import index_corpus
from lectorium.providers import registry
from lectorium.providers.stand_ins.hashing import HashingEmbedder
from operations import diagnosis
from tests.factories import a_collection, a_lecture, a_work


@pytest.mark.django_db
def test_every_chunk_gets_a_vector_and_a_second_run_finds_nothing_to_do():
    a_work({f"John 1:{n}": f"verse number {n}" for n in range(1, 12)})
    seen = []
    report = embedding.embed_changed(IndexPace(batch=4), lambda done, total: seen.append((done, total)))
    assert report.embedded == 11
    assert seen == [(4, 11), (8, 11), (11, 11)]
    assert embedding.embed_changed().embedded == 0


@pytest.mark.django_db
def test_a_stored_vector_is_that_of_its_own_chunk():
    a_lecture("Alpha beta.", key="a")
    a_lecture("Gamma delta epsilon and more.", key="b")
    embedding.embed_changed()
    for vector in ChunkVector.objects.select_related("chunk"):
        (expected,) = registry.embedder().embed_passages([vector.chunk.text])
        assert np.allclose(vector.embedding, expected, atol=1e-3)
        assert vector.embedded_hash == vector.chunk.embedded_hash


@pytest.mark.django_db
def test_a_vector_has_the_collection_and_the_source_of_its_chunk_and_is_stored_anew_where_the_chunk_moves():
    a_lecture("Alpha beta. Gamma.", key="a")
    a_work({"John 11:35": "Jesus wept."})
    embedding.embed_changed()
    elsewhere = a_collection("elsewhere")
    Chunk.objects.filter(work=None).update(collection=elsewhere)
    assert embedding.embed_changed().embedded == 1
    for model in (ChunkVector, SentenceVector):
        for vector in model.objects.select_related("chunk"):
            assert vector.collection_id == vector.chunk.collection_id
            assert vector.source_id == (vector.chunk.lecture_id or vector.chunk.work_id)
        assert model.objects.filter(collection_id=elsewhere.pk).exists()


@pytest.mark.django_db
def test_a_text_that_occurs_often_is_embedded_once_and_each_chunk_has_its_vector(monkeypatch):
    for key in "abcde":
        a_lecture("Yes, I think so.", key=key, title=key)
    a_lecture("Quite another matter.", key="f")
    embedder, asked = registry.embedder(), []
    embed = embedder.embed_passages
    monkeypatch.setattr(embedder, "embed_passages", lambda texts: asked.extend(texts) or embed(texts))
    assert embedding.embed_changed().embedded == 6
    assert sorted(asked) == ["Quite another matter.", "Yes, I think so."]
    for vector in ChunkVector.objects.select_related("chunk"):
        (expected,) = embed([vector.chunk.text])
        assert np.allclose(vector.embedding, expected, atol=1e-3)


SPOKEN = "Hope is an anchor. Fear is a wind that turns every ship."


@pytest.mark.django_db
def test_each_sentence_of_a_chunk_has_the_vector_of_its_own_words():
    a_lecture(SPOKEN, key="a")
    a_work({"John 11:35": "Jesus wept."})
    embedding.embed_changed()
    found = {}
    for vector in SentenceVector.objects.select_related("chunk").order_by("chunk_id", "position"):
        text = vector.chunk.text[vector.start : vector.end]
        found.setdefault(vector.chunk.text, []).append((vector.position, text))
        (expected,) = registry.embedder().embed_passages([text])
        assert np.allclose(vector.embedding, expected, atol=1e-3)
    assert found == {
        SPOKEN: [(0, "Hope is an anchor."), (1, "Fear is a wind that turns every ship.")],
        "Jesus wept.": [(0, "Jesus wept.")],
    }
    assert dict(ChunkVector.objects.values_list("chunk__text", "sentences")) == {SPOKEN: 2, "Jesus wept.": 1}


@pytest.mark.django_db
def test_a_verse_of_one_sentence_is_embedded_once(monkeypatch):
    a_work({"John 11:35": "Jesus wept."})
    asked, embed = [], HashingEmbedder.embed_passages
    monkeypatch.setattr(
        HashingEmbedder, "embed_passages", lambda self, texts: asked.extend(texts) or embed(self, texts)
    )
    embedding.embed_changed()
    assert asked == ["Jesus wept."]


@pytest.mark.django_db
def test_sentences_of_a_chunk_that_an_import_replaces_go_with_it():
    a_lecture(SPOKEN)
    embedding.embed_changed()
    a_lecture("Only this is left.")
    assert not SentenceVector.objects.exists()
    embedding.embed_changed()
    (left,) = SentenceVector.objects.select_related("chunk")
    assert left.chunk.text[left.start : left.end] == "Only this is left."


@pytest.mark.django_db
def test_a_chunk_that_is_embedded_again_has_each_sentence_once():
    a_lecture(SPOKEN)
    embedding.embed_changed()
    ChunkVector.objects.update(embedded_hash="earlier")
    assert embedding.embed_changed().embedded == 1
    assert list(SentenceVector.objects.order_by("position").values_list("position", flat=True)) == [0, 1]


@pytest.mark.django_db
def test_a_space_that_was_filled_before_sentences_had_vectors_gets_them_with_the_next_run():
    a_lecture(SPOKEN)
    embedding.embed_changed()
    SentenceVector.objects.all().delete()
    ChunkVector.objects.update(sentences=None)
    assert space_progress(serving_space()) == (0, 1)
    assert embedding.chunks_to_embed() == 1
    assert embedding.embed_changed().embedded == 1
    assert SentenceVector.objects.count() == 2
    assert space_progress(serving_space()) == (1, 1)


@pytest.mark.django_db
def test_only_what_changed_is_embedded_again_and_what_vanished_takes_its_vector_along():
    a_work({"John 1:1": "one", "John 1:2": "two", "John 1:3": "three"})
    embedding.embed_changed()
    a_work({"John 1:1": "one", "John 1:2": "two, corrected"})
    assert embedding.embed_changed().embedded == 1
    assert ChunkVector.objects.count() == Chunk.objects.count() == 2


@pytest.fixture
def always_indexed(monkeypatch):
    monkeypatch.setattr(embedding, "vector_index_build", partial(vector_index_build, least=0))


@pytest.mark.django_db
def test_the_first_space_serves_and_its_index_is_used(always_indexed):
    a_work({f"John 1:{n}": f"verse number {n}" for n in range(1, 30)})
    embedding.embed_changed()
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
    embedding.embed_changed()
    registry.replace_model("embedder", HashingEmbedder(128))
    assert embedding.embed_changed().embedded == 1
    assert dict(EmbeddingSpace.objects.values_list("model", "state")) == {"hashing": "serving", "hashing-128": "ready"}


def has_index():
    names = [f"{table}_hnsw_{serving_space().pk.hex[:12]}" for table in ("chunkvector", "sentencevector")]
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_indexes WHERE indexname = ANY(%s)", [names])
        (count,) = cursor.fetchone()
    assert count in (0, 2)
    return count == 2


@pytest.mark.django_db
def test_a_space_too_small_for_the_index_to_be_used_has_none():
    a_work({f"John 1:{n}": f"verse number {n}" for n in range(1, 4)})
    embedding.embed_changed()
    assert not has_index()


@pytest.mark.django_db
@pytest.mark.parametrize(("of_the_server", "used"), [("64MB", "512MB"), ("2GB", "2GB")])
def test_an_index_is_built_with_the_memory_that_the_server_gives_and_not_with_too_little(of_the_server, used):
    space = EmbeddingSpace.objects.create(model="m", width=8, state="serving")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL maintenance_work_mem = %s", [of_the_server])
        vector_index_build(space=space)
        cursor.execute("SHOW maintenance_work_mem")
        assert cursor.fetchone() == (used,)


@pytest.mark.django_db(transaction=True)
def test_a_load_that_doubles_a_space_is_indexed_after_it_and_a_smaller_one_while_it_is_stored(
    monkeypatch, always_indexed
):
    a_work({f"John 1:{n}": f"verse number {n}" for n in range(1, 4)})
    embedding.embed_changed()
    copy, indexed = embedding.vectors_copy, []
    monkeypatch.setattr(embedding, "vectors_copy", lambda *rows: (indexed.append(has_index()), copy(*rows)))
    a_lecture("Alpha beta.", key="a")
    embedding.embed_changed()
    assert (indexed.pop(), has_index()) == (True, True)
    a_work({f"Mark 1:{n}": f"verse number {n}" for n in range(1, 9)}, key="mark")
    embedding.embed_changed()
    assert (indexed.pop(), has_index()) == (False, True)


@pytest.mark.django_db
def test_a_chunk_deleted_while_it_was_embedded_leaves_no_vector():
    a_lecture("Alpha beta.")

    embedder, lease = HashingEmbedder(), IndexPace().lease
    run = leases.run_begin(space=embedding.space_ensure(embedder), total=1)
    shares = leases.claim(run, leases.SHARES, lease, ())
    (batch,) = embedding._batches(run, shares, IndexPace(), ContextWriter())
    Chunk.objects.all().delete()
    vectors = embedding.embed_batch(embedder, batch, KnownVectors(100))
    assert embedding._store(run, shares, lease, batch, vectors) == 0
    assert not ChunkVector.objects.exists()
    assert not SentenceVector.objects.exists()


class DyingEmbedder(HashingEmbedder):
    calls = 0

    def embed_passages(self, texts):
        self.calls += 1
        if self.calls == 3:
            raise RuntimeError("killed")
        return super().embed_passages(texts)


@pytest.mark.django_db(transaction=True)
def test_a_run_that_dies_is_resumed_without_double_work():
    a_work({f"John 1:{n}": f"verse number {n}" for n in range(1, 13)})
    registry.replace_model("embedder", DyingEmbedder())
    with pytest.raises(RuntimeError):
        embedding.embed_changed(IndexPace(batch=3))
    kept = ChunkVector.objects.count()
    assert 3 <= kept <= 6
    registry.replace_model("embedder", HashingEmbedder())
    assert embedding.embed_changed(IndexPace(batch=3)).embedded == 12 - kept
    assert ChunkVector.objects.count() == 12


class NotingEmbedder(HashingEmbedder):
    def __init__(self):
        super().__init__()
        self.texts = []

    def embed_passages(self, texts):
        self.texts += texts
        return super().embed_passages(texts)


@pytest.mark.django_db(transaction=True)
def test_a_text_of_several_batches_is_embedded_once_and_each_chunk_has_its_vector():
    a_work({f"John 1:{n}": f"Okay. Verse number {n}." for n in range(1, 10)})
    registry.replace_model("embedder", noting := NotingEmbedder())
    embedding.embed_changed(IndexPace(batch=3))
    registry.replace_model("embedder", HashingEmbedder())
    assert len(noting.texts) == len(set(noting.texts)) == 1 + 2 * 9
    okay = HashingEmbedder().embed_passages(["Okay."])[0]
    stored = SentenceVector.objects.filter(position=0)
    assert [np.abs(np.array(row.embedding) - okay).max() < 0.001 for row in stored] == [True] * 9


@pytest.mark.django_db(transaction=True)
def test_what_another_run_holds_is_left_to_it():
    a_lecture("Alpha beta.", collection=a_collection())
    inside, done, reports = threading.Event(), threading.Event(), []

    class Waits(HashingEmbedder):
        def embed_passages(self, texts):
            inside.set()
            assert done.wait(20)
            return super().embed_passages(texts)

    def run():
        reports.append(embedding.embed_changed())
        connections.close_all()

    registry.replace_model("embedder", Waits())
    first = threading.Thread(target=run)
    first.start()
    assert inside.wait(20)
    assert index_corpus() == "0 chunks embedded in 0 s, 1 left to other runs"
    done.set()
    first.join(20)
    assert reports[0].embedded == 1
    assert index_corpus().startswith("0 chunks")


@pytest.mark.django_db(transaction=True)
def test_two_workers_share_the_work_and_double_nothing():
    a_work({f"John 1:{n}": f"verse number {n}" for n in range(1, 200)})
    reports = []

    class Slow(HashingEmbedder):
        def embed_passages(self, texts):
            time.sleep(0.01)
            return super().embed_passages(texts)

    def run():
        reports.append(embedding.embed_changed(IndexPace(batch=4, claimed=8)))
        connections.close_all()

    registry.replace_model("embedder", Slow())
    workers = [threading.Thread(target=run) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert sum(report.embedded for report in reports) == 199
    assert min(report.embedded for report in reports) > 20
    assert ChunkVector.objects.count() == 199
    assert serving_space().indexed_at is not None


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_was_silent_too_long_stores_nothing_of_what_was_taken_over():
    a_work({f"John 1:{n}": f"verse number {n}" for n in range(1, 9)})
    space, over = embedding.space_ensure(HashingEmbedder()), timedelta(0)
    slow, quick = (leases.run_begin(space=space, total=8) for _ in range(2))
    shares = leases.claim(slow, leases.SHARES, over, ())
    assert leases.claim(quick, leases.SHARES, IndexPace().lease, ()) == shares
    (batch,) = embedding._batches(slow, shares, IndexPace(), ContextWriter())
    vectors = embedding.embed_batch(HashingEmbedder(), batch, KnownVectors(100))
    with pytest.raises(leases.LeaseLost):
        embedding._store(slow, shares, over, batch, vectors)
    assert not ChunkVector.objects.exists()
    assert embedding._store(quick, shares, IndexPace().lease, batch, vectors) == 8


@pytest.mark.django_db(transaction=True)
def test_a_failed_run_says_why_and_keeps_no_other_space_from_its_turn():
    a_lecture("Alpha beta.")
    embedding.embed_changed()
    broken = HashingEmbedder(128)
    broken.embed_passages = lambda texts: 1 / 0
    a_lecture("Gamma delta.", key="other")
    registry.replace_model("embedder", broken)
    with pytest.raises(ZeroDivisionError):
        embedding.embed_changed()
    outcomes = {run.space.model: (run.outcome, run.error) for run in IndexRun.objects.order_by("started_at")}
    assert outcomes == {
        "hashing": ("finished", ""),
        "hashing-128": ("failed", "ZeroDivisionError: division by zero"),
    }
    assert not IndexClaim.objects.filter(run__isnull=False).exists()
    finding = diagnosis._run("index run", diagnosis.CHECKS["index run"])
    assert not finding.ok
    assert "division by zero" in finding.says
    assert "hashing:halfvec: 1 of 1 chunks" in finding.says


@pytest.mark.django_db(transaction=True)
def test_a_failure_is_shown_until_its_own_space_is_up_to_date_whatever_succeeds_meanwhile():
    a_lecture("Alpha beta.")
    embedding.embed_changed()
    behind = EmbeddingSpace.objects.create(model="other", width=8)
    IndexRun.objects.create(space=behind, total=3, worker="far:1", error="OSError: gone", finished_at=timezone.now())
    a_lecture("Gamma delta.", key="later")
    embedding.space_embed(serving_space(), IndexPace())
    ok, says = diagnosis.CHECKS["index run"]()
    assert not ok
    assert "failed by far:1" in says
    EmbeddingSpace.objects.filter(pk=behind.pk).update(indexed_at=timezone.now())
    assert diagnosis.CHECKS["index run"]()[0]


@pytest.mark.django_db(transaction=True)
def test_what_fails_before_a_run_begins_is_kept_as_a_failed_run_until_one_succeeds(monkeypatch):
    a_lecture("Alpha beta.")
    embedding.embed_changed()
    with monkeypatch.context() as patched:
        patched.setattr(embedding, "duplicates_link", lambda: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            embedding.embed_changed()
    ok, says = diagnosis.CHECKS["index run"]()
    assert not ok
    assert "ZeroDivisionError: division by zero" in says
    embedding.embed_changed()
    assert diagnosis.CHECKS["index run"]()[0]


@pytest.mark.django_db(transaction=True)
def test_a_run_leaves_its_tables_vacuumed():
    a_lecture("Alpha beta.")
    embedding.embed_changed()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_force_next_flush(), pg_stat_clear_snapshot()")
        cursor.execute("SELECT relname FROM pg_stat_user_tables WHERE last_vacuum IS NOT NULL")
        assert {"corpus_chunk", "corpus_chunkvector", "corpus_sentencevector"} <= {
            name for (name,) in cursor.fetchall()
        }


@pytest.mark.django_db
def test_a_long_run_is_shared_with_workers_on_any_host(monkeypatch):
    embedding.space_ensure(HashingEmbedder())
    a_work({f"John 1:{n}": f"verse number {n}" for n in range(1, 9)})
    monkeypatch.setattr(tasks, "PACE", IndexPace(claimed=3))
    assert index_corpus().startswith("8 chunks")
    assert [job.func() for job in OrmQ.objects.all()] == ["corpus.tasks.index_along"] * 2
    assert index_corpus().startswith("0 chunks")
    assert OrmQ.objects.count() == 2
    assert tasks.index_along().startswith("0 chunks")


@pytest.mark.django_db
def test_a_new_title_embeds_nothing_again_and_is_searched_by():
    a_lecture("Alpha beta.", title="Old")
    embedding.embed_changed()
    (chunk,) = Chunk.objects.values_list("pk", flat=True)
    a_lecture("Alpha beta.", title="New")
    assert list(Chunk.objects.values_list("pk", "heading", "folded_heading")) == [(chunk, "New", "new")]
    assert embedding.embed_changed().embedded == 0


def counted():
    """Index, and return how many chunks were embedded and the words of lectures that are counted."""
    embedded = embedding.embed_changed().embedded
    return embedded, set(Term.objects.filter(lexeme__in=["alpha", "older", "newer"]).values_list("lexeme", flat=True))


@pytest.mark.django_db
def test_words_are_counted_again_after_a_new_title_though_nothing_is_embedded(tmp_path):
    path, library = tmp_path / "talk.md", a_collection()
    for title, expected in (("Older", (1, {"alpha", "older"})), ("Newer", (0, {"alpha", "newer"}))):
        path.write_text(f"# {title}\n\nAlpha beta.\n", encoding="utf-8")
        sources_import(paths=[path], collection=library)
        assert counted() == expected


@pytest.mark.django_db
def test_words_are_counted_again_after_a_withdrawal_though_nothing_is_embedded():
    lecture = a_lecture("Alpha beta.")
    assert counted() == (1, {"alpha"})
    source_withdraw(source=lecture)
    assert counted() == (0, set())


@pytest.mark.django_db
def test_words_are_counted_again_after_an_import_that_began_before_the_last_run_ended():
    lecture = a_lecture("Alpha beta.", title="Older")
    began = timezone.now()
    assert counted() == (1, {"alpha", "older"})
    a_lecture("Alpha beta.", title="Newer")
    Collection.objects.filter(pk=lecture.collection_id).update(changed_at=began)
    assert counted() == (0, {"alpha", "newer"})


@pytest.mark.django_db
def test_words_are_not_counted_again_where_nothing_has_changed(monkeypatch):
    a_lecture("Alpha beta.")
    embedding.embed_changed()
    monkeypatch.setattr(embedding, "refresh_terms", lambda: pytest.fail("counted again"))
    embedding.embed_changed()
