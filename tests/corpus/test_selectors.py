"""What the rest of the product asks of the corpus."""

import pytest

from corpus.domain.address import addresses_in
from corpus.models import Chunk
from corpus.selectors import book_names, check_address, corpus_size, corpus_version, passages
from lectorium.schedules import JOBS, sync_schedules
from tests.factories import a_collection, a_lecture, a_timed_lecture, a_work

pytestmark = pytest.mark.django_db


def test_passages_come_in_one_query_in_the_order_asked(django_assert_num_queries):
    a_timed_lecture(("Hello there.", 1, 2), ("And again.", 4, 5), title="Greetings", speaker="Ann")
    a_work({"John 11:35": "Jesus wept."})
    ids = [Chunk.objects.get(kind="verse").pk, Chunk.objects.get(kind="lecture").pk]
    with django_assert_num_queries(1):
        verse, lecture = passages(ids)
    assert (verse.address, verse.title, verse.text, verse.media) == ("John 11:35", "Bible", "Jesus wept.", False)
    assert (lecture.title, lecture.speaker) == ("Greetings", "Ann")
    again = lecture.text.index("And")
    assert lecture.address_at((again, again + 3)) == "talk:2"
    assert lecture.seconds_at((again, again + 3)) == (4, 5)


def test_the_size_counts_only_the_collections_asked_for():
    a_lecture()
    a_lecture(key="hidden", collection=a_collection("private", "restricted"))
    a_work({"John 11:35": "Jesus wept."})
    assert (corpus_size().lectures, corpus_size().verses) == (2, 1)
    assert corpus_size([a_collection().pk]).lectures == 1
    assert corpus_size([]).verses == 0


def test_names_of_works_and_lectures_are_found_and_follow_an_import():
    a_lecture("One.", "Two.", key="secret_of_work")
    a_work({"1 Corinthians 13:4": "Charity suffereth long."})
    version = corpus_version()
    keys = [m.keys[0] for m in addresses_in("first Corinthians 13:4 or secret of work 2", book_names())]
    assert keys == ["1 corinthians 13 4", "secret of work 2"]
    a_work({"John 11:35": "Jesus wept."}, key="john")
    a_collection().save()
    assert corpus_version() != version
    assert "john" in book_names()


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("John 11:99", "Chapter 11 of John has 57 verses, so there is no John 11:99."),
        ("John 30:1", "John has 2 chapters, so there is no John 30:1."),
        ("John 11:35", None),
    ],
)
def test_a_verse_that_cannot_exist_is_explained(question, said):
    a_work({"John 11:35": "Jesus wept."}, books={"John": {"10": 42, "11": 57}})
    (mention,) = addresses_in(question, book_names())
    assert check_address(mention) == said


def test_schedules_are_equal_to_the_table_and_an_operators_own_stay():
    from django_q.models import Schedule

    Schedule.objects.create(name="mine", func="x.y", schedule_type=Schedule.DAILY)
    Schedule.objects.create(name="lectorium: gone", func="x.y", schedule_type=Schedule.DAILY)
    sync_schedules()
    sync_schedules()
    names = set(Schedule.objects.values_list("name", flat=True))
    assert names == {"mine", *(f"lectorium: {job.name}" for job in JOBS)}
