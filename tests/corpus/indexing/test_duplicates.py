"""Near-duplicates: kept, linked to the chunk that serves, found only where that one cannot be."""

from datetime import date

import pytest
from django.db import connection

from corpus.domain.scope import Scope
from corpus.indexing import duplicates
from corpus.indexing.duplicates import duplicates_link
from corpus.indexing.minhash import bands_of
from corpus.models import Chunk, Fingerprint, Lecture
from corpus.services import source_publish, source_withdraw
from tests.factories import a_collection, a_lecture, a_timed_lecture

pytestmark = pytest.mark.django_db
TALK = " ".join(f"word{letter}{second}" for letter in "abcdefgh" for second in "klmnopqrstuv") + "."


def chunk_of(key):
    return Chunk.objects.get(lecture__key=key)


def links():
    linked = Chunk.objects.filter(duplicate_of__isnull=False)
    return dict(linked.values_list("lecture__key", "duplicate_of__lecture__key"))


def test_a_near_duplicate_is_linked_to_the_one_that_serves_and_a_second_run_compares_nothing():
    a_lecture(TALK, key="a", title="One")
    duplicates_link()
    a_lecture(TALK.replace("wordfp", "wordxx"), key="b", title="Two")
    a_lecture("Quite another matter altogether.", key="c", title="Three")
    assert duplicates_link() == 2
    assert links() == {"b": "a"}
    assert 0.9 <= chunk_of("b").likeness < 1
    assert set(Chunk.objects.within(Scope()).values_list("lecture__key", flat=True)) == {"a", "c"}
    assert duplicates_link() == 0


def test_a_text_that_occurs_often_has_one_chunk_that_serves():
    for key in "abcde":
        a_lecture(TALK, key=key, title=key)
    duplicates_link()
    assert len(links()) == 4
    assert len(set(links().values())) == 1
    assert Fingerprint.objects.exclude(bands=[]).count() == 1


def test_many_duplicates_are_linked_with_as_few_queries_as_one(django_assert_max_num_queries):
    for number in range(20):
        a_lecture(TALK, key=str(number), title=str(number))
    with django_assert_max_num_queries(24):
        duplicates_link()
    assert len(links()) == 19


def test_a_recording_serves_in_place_of_a_mere_text_that_came_earlier():
    a_lecture(TALK, key="text", title="Text")
    a_lecture(TALK, key="copy", title="Copy")
    duplicates_link()
    a_timed_lecture((TALK, 1, 60), key="heard", title="Heard")
    duplicates_link()
    assert links() == {"text": "heard", "copy": "heard"}


@pytest.mark.parametrize("gone", ["deleted", "withdrawn"])
def test_a_duplicate_serves_at_once_when_the_one_that_served_is_gone(gone):
    for key in "abc":
        a_lecture(TALK, key=key, title=key)
    duplicates_link()
    (served,) = set(links().values())
    source = Lecture.objects.get(key=served)
    _ = source.delete() if gone == "deleted" else source_withdraw(source=source)
    assert links() == {}
    assert Chunk.objects.within(Scope()).count() == 2
    duplicates_link()
    assert Chunk.objects.within(Scope()).count() == 1


def test_a_link_to_a_chunk_that_vanished_unnoticed_is_undone():
    a_lecture(TALK, key="a", title="One")
    a_lecture(TALK, key="b", title="Two")
    duplicates_link()
    Chunk.objects.filter(lecture__key__in=links().values())._raw_delete("default")
    duplicates_link()
    assert Chunk.objects.within(Scope()).count() == 1


def test_readers_who_cannot_see_the_serving_chunk_find_the_duplicate():
    hidden, public = a_collection("hidden", "restricted"), a_collection("open")
    a_lecture(TALK, key="a", collection=hidden)
    duplicates_link()
    a_lecture(TALK, key="b", collection=public)
    duplicates_link()
    assert links() == {"b": "a"}
    found = Chunk.objects.within(Scope(collections=(public.pk,)))
    assert list(found.values_list("lecture__key", flat=True)) == ["b"]


def test_a_withdrawn_lecture_is_found_again_once_it_is_published():
    lecture = a_lecture(TALK)
    assert source_withdraw(source=lecture)
    assert not source_withdraw(source=lecture)
    assert not Chunk.objects.within(Scope()).exists()
    a_lecture(TALK, "And a paragraph more.")
    assert not Chunk.objects.within(Scope()).exists()
    assert source_publish(source=lecture)
    assert Chunk.objects.within(Scope()).exists()


def test_a_transcript_of_the_same_talk_replaces_the_earlier_one():
    a_lecture(TALK, "It ends here.", key="first", title="The Talk")
    new = a_lecture(TALK.replace("wordfp", "wordxx"), "It ends there.", key="second", title="the talk")
    old = Lecture.objects.get(key="first")
    assert (old.state, old.replaced_by) == ("replaced", new)
    assert set(Chunk.objects.within(Scope()).values_list("lecture__key", flat=True)) == {"second"}


def test_talks_of_one_title_stay_apart_where_words_or_dates_differ():
    a_lecture(TALK, key="first", title="The Talk", date=date(1893, 9, 11))
    a_lecture(TALK, key="second", title="The Talk", date=date(1893, 9, 12))
    a_lecture("Quite another matter altogether.", key="third", title="The Talk", date=date(1893, 9, 11))
    assert not Lecture.objects.exclude(state="published").exists()


def test_a_retranscription_under_the_same_key_replaces_its_chunks():
    a_lecture(TALK, "It ends here.")
    a_lecture(TALK.replace("wordfp", "wordxx"), "It ends here.")
    duplicates_link()
    texts = "".join(Chunk.objects.values_list("text", flat=True))
    assert "wordxx" in texts
    assert "wordfp" not in texts
    assert links() == {}


def test_what_an_import_is_changing_is_left_to_the_next_run(monkeypatch):
    a_lecture(TALK, key="a")
    monkeypatch.setattr(duplicates.Chunk.objects.none().__class__, "select_for_update", lambda self, **how: self.none())
    assert duplicates_link() == 0
    assert not Fingerprint.objects.exists()


def test_the_bands_are_those_of_the_fingerprints_that_are_stored_already():
    """They were computed by datasketch 2.0.0, and a text would not meet its copy if they were others."""
    assert bands_of("in the beginning was the word") == (
        8084680552086605374, -5624179671326990317, 7672834578243697489, -286445053779608173,
        5158590004069939122, -2866130552279974027, -4659364078906059276, -468511038826441050,
    )  # fmt: skip
    assert bands_of("")[:2] == (-2049757998751224357, 7950806409692851369)


def test_the_bands_of_a_batch_are_looked_up_in_the_index_however_many_they_are():
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO corpus_fingerprint (id, chunk_id, text_hash, bands) "
            "SELECT gen_random_uuid(), gen_random_uuid(), '', ARRAY[n, -n] FROM generate_series(1, 5000) AS n"
        )
        cursor.execute(f"EXPLAIN {duplicates._MEETING}", [list(range(1, duplicates.BATCH + 1))])
        plan = "\n".join(line for (line,) in cursor)
    assert "Index Scan on fingerprint_bands" in plan
    assert "Seq Scan" not in plan
