"""The nearest chunks and sentences within a scope, compared with exact search."""

from importlib import import_module
from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from corpus import surroundings
from corpus.domain.nearness import NearnessRules
from corpus.domain.scope import Scope
from corpus.indexing import nearest
from corpus.indexing.nearest import nearest_chunks, nearest_sentences
from corpus.indexing.vector_index import indexes_of, vector_index_build, vector_index_drop
from corpus.models import Chunk, ChunkVector, EmbeddingSpace, SentenceVector
from tests.corpus.indexing.random_space import ROWS, random_space
from tests.database import rolled_back
from tests.factories import a_collection

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", params=["halfvec", "binary"])
def space(request, django_db_setup, django_db_blocker):
    """A space of random vectors, made once; what a test changes in it is rolled back."""
    with rolled_back(django_db_blocker):
        yield random_space(request.param)


def rows_found(space, scope, question=5):
    (found,) = nearest_chunks(space, space.vectors[question : question + 1], scope, 10)
    rows = dict(Chunk.objects.filter(pk__in=[pk for _, pk in found]).values_list("pk", "ordinal"))
    return [rows[pk] for _, pk in found]


def rows_nearest(space, chosen, question=5):
    return sorted(chosen, key=lambda row: -float(space.vectors[row] @ space.vectors[question]))[:10]


def test_a_small_scope_is_searched_exactly(space):
    scope = Scope(collections=(a_collection("small").pk,))
    assert nearest.estimated_rows(ChunkVector, space, scope, "default") < 50
    assert rows_found(space, scope) == rows_nearest(space, range(0, ROWS, 100))


def test_in_no_collection_nothing_is_found(space):
    for search in (nearest_chunks, nearest_sentences):
        assert search(space, space.vectors[:2], Scope(collections=()), 10) == [[], []]


def test_the_index_finds_what_an_exact_search_does_whatever_the_filter(space, monkeypatch):
    monkeypatch.setattr(nearest, "RULES", NearnessRules(exact_below=0, joined_below=0))
    for scope, chosen in (
        (Scope(), range(ROWS)),
        (Scope(languages=("fr",)), range(0, ROWS, 3)),
        (Scope(languages=("fr",), kinds=("verse",)), range(0, ROWS, 6)),
        (Scope(collections=(a_collection("small").pk,)), range(0, ROWS, 100)),
    ):
        found = set(rows_found(space, scope))
        assert len(found & set(rows_nearest(space, chosen))) >= 9


def test_the_index_of_the_space_is_the_one_that_is_used(space):
    (vector,) = space.vectors[5:6]
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_bitmapscan = off")
        cursor.execute("SET LOCAL enable_sort = off")
    for model, name in ((ChunkVector, "chunkvector"), (SentenceVector, "sentencevector")):
        vectors = model.objects.all()
        search = vectors.nearest_by_bits if space.dtype == "binary" else vectors.nearest
        assert f"{name}_hnsw_{space.pk.hex[:12]}" in search(space, vector)[:10].explain()


@pytest.mark.parametrize("exact_below", [0, 5000])
def test_all_vectors_are_searched_with_in_one_statement_and_find_what_each_alone_does(space, monkeypatch, exact_below):
    monkeypatch.setattr(nearest, "RULES", NearnessRules(exact_below=exact_below, joined_below=exact_below))
    with CaptureQueriesContext(connection) as queries:
        together = nearest_chunks(space, space.vectors[5:9], Scope(), 10)
    assert sum("embedding" in query["sql"] for query in queries) == 1
    assert together == [nearest_chunks(space, vector[None], Scope(), 10)[0] for vector in space.vectors[5:9]]
    assert nearest_chunks(space, space.vectors[:0], Scope(), 10) == []


def test_nothing_withdrawn_is_found(space):
    nearest_row = rows_found(space, Scope())[0]
    Chunk.objects.filter(ordinal=nearest_row).update(retrievable=False)
    assert nearest_row not in rows_found(space, Scope())


def test_a_duplicate_is_found_only_by_whom_the_serving_chunk_is_hidden_from(space):
    small, large = a_collection("small").pk, a_collection("large").pk
    duplicate = Chunk.objects.filter(ordinal=5)
    duplicate.update(duplicate_of=Chunk.objects.get(ordinal=100).pk, served_in=small)
    assert 5 not in rows_found(space, Scope())
    assert 5 not in rows_found(space, Scope(collections=(small, large)))
    assert rows_found(space, Scope(collections=(large,)))[0] == 5


@pytest.mark.parametrize("exact_below", [0, 5000])
def test_a_chunk_that_moved_is_hidden_from_the_readers_of_its_old_collection_at_once(space, monkeypatch, exact_below):
    monkeypatch.setattr(nearest, "RULES", NearnessRules(exact_below=exact_below))
    small, large = (Scope(collections=(a_collection(key).pk,)) for key in ("small", "large"))
    assert (rows_found(space, large)[0], 5 in rows_by_sentence(space, large)) == (5, True)
    Chunk.objects.filter(ordinal=5).update(collection=a_collection("small"))  # its vectors are not stored anew yet
    for scope in (large, small):
        assert set(rows_found(space, scope) + rows_by_sentence(space, scope)) <= rows_within(scope)
    assert 5 not in rows_found(space, large) + rows_by_sentence(space, large)


def rows_within(scope):
    return set(Chunk.objects.within(scope).values_list("ordinal", flat=True))


def test_where_the_nearest_may_not_be_found_the_next_ones_are(space):
    scope = Scope(collections=(a_collection("large").pk,))
    likeness = space.vectors @ space.vectors[5]
    ordered = [row for row in sorted(range(ROWS), key=lambda row: -likeness[row]) if row % 100]
    Chunk.objects.filter(ordinal__in=ordered[:300]).update(retrievable=False)
    assert rows_found(space, scope) == ordered[300:310]
    assert set(rows_by_sentence(space, scope)).isdisjoint(ordered[:300])
    assert len(rows_by_sentence(space, scope)) == 10
    Chunk.objects.update(retrievable=False)
    assert rows_found(space, scope) == []


def test_languages_kinds_and_sources_narrow_an_exact_search(space):
    source = uuid4()
    ChunkVector.objects.filter(chunk__ordinal__lt=30).update(source_id=source)
    Chunk.objects.filter(ordinal__lt=30).update(work_id=source)
    verses = Scope(collections=(a_collection("large").pk,), languages=("fr",), kinds=("verse",))
    assert rows_found(space, verses) == rows_nearest(space, [row for row in range(0, ROWS, 6) if row % 100])
    assert rows_found(space, Scope(sources=(source,))) == rows_nearest(space, range(30))
    assert rows_found(space, Scope(sources=(source,), collections=(a_collection("small").pk,))) == [0]


def test_a_scope_of_a_large_table_is_read_from_its_own_index(space):
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_bitmapscan = off")
    for model in (ChunkVector, SentenceVector):
        scope = Scope(collections=(a_collection("small").pk,))
        searched = model.objects.filter(space_id=space.pk).likely_within(scope).values("chunk_id", "embedding")
        plan = searched.order_by().explain()
        assert f"Index Only Scan using {model._meta.model_name}_scope_{space.pk.hex[:12]}" in plan
        assert "corpus_chunk " not in plan


def test_the_vectors_of_a_wide_space_are_left_out_of_the_index_of_scopes():
    wide = EmbeddingSpace(model="wide", width=3072)
    definitions = [definition for name, _, definition in indexes_of(wide) if "scope" in name]
    assert definitions
    assert not any("embedding" in definition for definition in definitions)


def test_the_migration_gives_each_vector_its_place_without_the_indexes_that_would_slow_it(space):
    chunk = Chunk.objects.get(ordinal=5)
    Chunk.objects.filter(pk=chunk.pk).update(lecture_id=uuid4())
    ChunkVector.objects.filter(chunk__ordinal=6).update(chunk_id=uuid4())  # of no chunk
    with connection.cursor() as cursor:
        for table in ("corpus_chunkvector", "corpus_sentencevector"):
            cursor.execute(f"ALTER TABLE {table} ALTER collection_id DROP NOT NULL")
            cursor.execute(f"UPDATE {table} SET collection_id = NULL")
        import_module("corpus.migrations.0019_vector_places").fill(apps, SimpleNamespace(connection=connection))
        cursor.execute("SELECT count(*) FROM pg_indexes WHERE indexname LIKE '%vector_hnsw_%'")
        assert cursor.fetchone() == (0,)
    assert ChunkVector.objects.count() == ROWS - 1
    for model in (ChunkVector, SentenceVector):
        places = model.objects.values_list("collection_id", "chunk__collection_id", "source_id", "chunk__lecture_id")
        assert all(row[0] == row[1] and row[2] == row[3] for row in places)


def test_a_graph_is_built_with_as_many_comparisons_as_the_site_asks_for(space, settings):
    settings.EF_CONSTRUCTION = 256
    vector_index_drop(space=space)
    vector_index_build(space=space, least=1)
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE indexname LIKE '%vector_hnsw_%'")
        definitions = [definition for (definition,) in cursor.fetchall()]
    assert len(definitions) == 2
    assert all("ef_construction='256'" in definition for definition in definitions)


def rows_by_sentence(space, scope, question=5, limit=10):
    (found,) = nearest_sentences(space, space.vectors[question : question + 1], scope, limit)
    assert found == sorted(found)
    rows = dict(Chunk.objects.filter(pk__in=[pk for _, pk in found]).values_list("pk", "ordinal"))
    return [rows[pk] for _, pk in found]


def test_sentences_find_each_chunk_once_by_its_nearest_sentence(space):
    scope, question = Scope(collections=(a_collection("small").pk,)), space.vectors[5]
    nearest_of = {
        row: max(space.vectors[row] @ question, space.vectors[(row + ROWS // 2) % ROWS] @ question)
        for row in range(0, ROWS, 100)
    }
    assert rows_by_sentence(space, scope) == sorted(nearest_of, key=lambda row: -nearest_of[row])[:10]


def test_a_chunk_whose_sentences_are_all_near_takes_one_place(space):
    SentenceVector.objects.filter(chunk__ordinal=5).update(embedding=space.vectors[5])
    assert rows_by_sentence(space, Scope()).count(5) == 1


@pytest.mark.parametrize("exact_below", [0, 5000])
def test_sentences_are_searched_within_the_scope_by_index_and_exactly(space, monkeypatch, exact_below):
    monkeypatch.setattr(nearest, "RULES", NearnessRules(exact_below=exact_below, joined_below=exact_below))
    assert set(rows_by_sentence(space, Scope())[:2]) == {5, 5 + ROWS // 2}
    french = rows_by_sentence(space, Scope(languages=("fr",)))
    assert french
    assert all(row % 3 == 0 for row in french)
    assert nearest_sentences(space, space.vectors[:0], Scope(), 10) == []


def test_a_space_without_sentences_finds_none(space):
    SentenceVector.objects.all().delete()
    assert rows_by_sentence(space, Scope()) == []


class Asked:
    """Embeds every text as the vector of one row."""

    def __init__(self, vector):
        self._vector = vector

    def embed_questions(self, texts):
        return self._vector[None].repeat(len(texts), axis=0)


def test_the_place_of_a_text_is_found_in_a_small_scope_whose_vectors_the_index_would_scan_last(space, monkeypatch):
    monkeypatch.setattr(surroundings, "space_embedder", lambda space: Asked(space.vectors[5]))
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_bitmapscan = off")
        cursor.execute("SET LOCAL enable_sort = off")
    scope = Scope(collections=(a_collection("small").pk,))
    chunk_id, span = surroundings.nearest_place("any", space, scope, -1.0)
    assert (Chunk.objects.get(pk=chunk_id).ordinal, span) == (rows_by_sentence(space, scope)[0], (0, 1))
    assert surroundings.nearest_place("any", space, scope, 0.99) is None
