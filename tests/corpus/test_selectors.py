"""What the rest of the product asks of the corpus."""

import datetime

import pytest
from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile

from corpus.catalogue.addresses import lecture_keys, shelf
from corpus.domain.addresses.parsing import addresses_in
from corpus.domain.transcript import SourceParagraph
from corpus.importers.drafts import LectureDraft
from corpus.models import AddressScheme, Chunk
from corpus.selectors import corpus_size, corpus_version, passages, words_version
from corpus.services.lectures import lecture_store
from corpus.services.publishing import source_withdraw
from lectorium.schedules import JOBS, sync_schedules
from tests.factories import a_collection, a_lecture, a_timed_lecture, a_work, the_schemes

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def schemes(db):
    the_schemes()


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


def test_a_passage_says_that_it_can_be_heard_only_where_its_recording_is_there(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    talk = a_timed_lecture(("Hello there.", 1, 2))
    ids = [Chunk.objects.get().pk]
    talk.media.save("talk.mp3", ContentFile(b"sound"))
    assert passages(ids)[0].media
    talk.media.storage.delete(talk.media.name)
    assert not passages(ids)[0].media


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
    keys = [m.keys[0] for m in addresses_in("first Corinthians 13:4 or secret of work 2", shelf().book)]
    assert keys == ["1 corinthians 13 4", "secret of work 2"]
    a_work({"John 11:35": "Jesus wept."}, key="john")
    a_collection().save()
    assert corpus_version() != version
    assert "John" in shelf().chapters


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("John 11:99", "Chapter 11 of John has 57 verses, so there is no John 11:99."),
        ("John 30:1", "John has 11 chapters, so there is no John 30:1."),
        ("John 11:35", None),
        ("chapter 30 of John", "John has 11 chapters, so there is no John 30."),
        ("SB 1.2.99", "Canto 1, chapter 2 of Śrīmad-Bhāgavatam has 34 verses, so there is no SB 1.2.99."),
        ("SB 1.20.1", "Canto 1 of Śrīmad-Bhāgavatam has 19 chapters, so there is no SB 1.20.1."),
        ("SB 13.1.1", "Śrīmad-Bhāgavatam has 1 canto, so there is no SB 13.1.1."),
        ("John 10:40-11:2", None),
        ("John 11:50-12:1", "John has 11 chapters, so there is no John 12:1."),
        ("John 10:40-11:60", "Chapter 11 of John has 57 verses, so there is no John 11:60."),
        ("John 10:43-11:2", "Chapter 10 of John has 42 verses, so there is no John 10:43."),
        ("John 11:2-10:40", "John 11:2-10:40 runs backwards: John 10:40 comes before John 11:2."),
        ("John 11:20-3", "John 11:20-3 runs backwards: John 11:3 comes before John 11:20."),
        ("chapters 11 to 10 of John", "John 11-10 runs backwards: John 10 comes before John 11."),
        (
            "John 10:1-11:57",
            "John 10:1-11:57 is 99 verses long; ask for at most 40 at once.",
        ),
        ("SB 1.2.33-19.2", None),
        ("Mark 1:40-2:1", "Mark is not among these sources, so there is no Mark 1:40 to show."),
        ("Mark 1:1", "Mark is not among these sources, so there is no Mark 1:1 to show."),
    ],
)
def test_a_verse_that_cannot_exist_is_explained(question, said):
    bhagavatam = {"1.2": 34, "1.19": 40}
    a_work({"John 11:35": "Jesus wept."}, books={"John": {"10": 42, "11": 57}, "SB": bhagavatam})
    (mention,) = addresses_in(question, shelf().book)
    assert shelf().fault(mention) == said


def test_a_chapter_that_is_not_in_a_work_with_chapters_of_several_depths_is_explained():
    a_work({"John 11:35": "Jesus wept."}, books={"SB": {"1": 5, "1.2": 34}})
    (mention,) = addresses_in("SB 1.3.1", shelf().book)
    assert shelf().fault(mention).endswith("so there is no SB 1.3.1.")


def test_a_chapter_that_is_not_a_number_is_passed_over():
    a_work({"John 11:35": "Jesus wept."}, books={"John": {"Preface": 3, "1.²": 2, "9" * 5000: 1, "11": 57}})
    assert shelf().chapters["John"] == {(11,): 57}


def test_a_paragraph_with_a_raised_number_has_no_numbered_lecture():
    drafted = (SourceParagraph("One.", "talk:1²"), SourceParagraph("Two.", "talk:2²"))
    lecture_store(draft=LectureDraft("test", "talk", "A talk", drafted), collection=a_collection(), source_hash="")
    assert "talk:" not in shelf().chapters


def test_a_chapter_named_alone_stands_for_its_verses():
    a_work({"John 11:35": "Jesus wept."}, books={"John": {"11": 3}})
    (mention,) = addresses_in("John 11", shelf().book)
    assert shelf().keys(mention) == ("john 11 1", "john 11 2", "john 11 3")


def test_a_range_of_chapters_stands_for_the_verses_of_each_that_is_there():
    a_work({"John 11:35": "Jesus wept."}, books={"John": {"10": 2, "11": 1}})
    inside, beyond = addresses_in("John 10-11, John 10-12", shelf().book)
    assert shelf().keys(inside) == ("john 10 1", "john 10 2", "john 11 1")
    assert shelf().fault(beyond) == "John has 11 chapters, so there is no John 12."


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("John 10:41-11:2", ["john 10 41", "john 10 42", "john 11 1", "john 11 2"]),
        ("SB 1.2.34-2.1.1", ["sb 1 2 34", "sb 1 19 1", "sb 1 19 2", "sb 2 1 1"]),
    ],
)
def test_a_range_across_chapters_stands_for_the_verses_that_are_there(question, keys):
    bhagavatam = {"1.2": 34, "1.19": 2, "2.1": 3}
    a_work({"John 11:35": "Jesus wept."}, books={"John": {"10": 42, "11": 57}, "SB": bhagavatam})
    (mention,) = addresses_in(question, shelf().book)
    assert shelf().fault(mention) is None
    assert list(shelf().keys(mention)) == keys


def test_a_range_of_a_lectures_paragraphs_has_a_limit_and_a_direction():
    a_lecture(*(f"Number {n}." for n in range(1, 100)), key="talk")
    faults = [shelf().fault(mention) for mention in addresses_in("talk:3-9, talk:1-99 and talk:9-3", shelf().book)]
    assert faults == [
        None,
        "talk:1-99 is 99 paragraphs long; ask for at most 40 at once.",
        "talk:9-3 runs backwards: talk:3 comes before talk:9.",
    ]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("talk:2", None),
        ("talk:3", "What is duty? has 2 paragraphs, so there is no talk:3."),
        ("What is duty, paragraph 999", "What is duty? has 2 paragraphs, so there is no talk:999."),
        ("talk:0", "What is duty? has 2 paragraphs, so there is no talk:0."),
        ("talk:1-3", "What is duty? has 2 paragraphs, so there is no talk:3."),
    ],
)
def test_a_paragraph_that_a_lecture_has_not_is_said_not_to_exist(question, said):
    a_lecture("One.", "Two.", key="talk", title="What is duty?")
    a_lecture("One.", "Two.", "Three.", key="walk")
    (mention,) = addresses_in(question, shelf().book)
    assert shelf().fault(mention) == said


def test_of_a_lecture_whose_paragraphs_are_not_numbered_to_the_end_none_is_said_to_be_missing():
    lecture = a_lecture("One.", "Two.", key="talk")
    lecture.sections.filter(ordinal=1).update(address="talk:end", address_key="talk end")
    (mention,) = addresses_in("talk:9", shelf().book)
    assert shelf().fault(mention) is None


def test_a_scheme_an_editor_adds_is_read_from_the_next_question_on():
    a_work({"Enoch 1:1": "The words of the blessing of Enoch."}, books={"Enoch": {"1": 9}})
    assert not addresses_in("Book of the Watchers 1:1", shelf().book)
    before = words_version()
    scheme = AddressScheme(label="Enoch", title="Enoch", aliases="Book of the Watchers\n1 Enoch", separator=":")
    scheme.full_clean()
    scheme.save()
    assert words_version() != before
    (mention,) = addresses_in("Book of the Watchers 1:1", shelf().book)
    assert mention.addresses == ("Enoch 1:1",)


def test_two_schemes_cannot_have_one_name():
    AddressScheme.objects.update_or_create(label="BG", defaults={"title": "Bhagavad-gītā", "aliases": "gita"})
    with pytest.raises(ValidationError, match="is already a name of Bhagavad-gītā"):
        AddressScheme(label="AG", title="Aṣṭāvakra Gītā", aliases="Gītā").full_clean()
    with pytest.raises(ValidationError, match="two to four single words"):
        AddressScheme(label="AG", title="Aṣṭāvakra Gītā", levels="verse").full_clean()


def test_a_lecture_is_found_by_its_day_and_its_place():
    day = datetime.date(1893, 9, 26)
    a_lecture("One.", "Two.", key="morning", date=day, place="Chicago")
    a_lecture("Three.", key="evening", date=day, place="New York")
    assert lecture_keys("the talk of 26 September 1893 in Chicago") == (
        ("morning 1", "morning 2"), "the talk of   in  ",
    )  # fmt: skip
    assert set(lecture_keys("1893-09-26")[0]) == {"morning 1", "morning 2", "evening 1"}
    assert lecture_keys("May 3rd, 1893") == ((), "May 3rd, 1893")


def test_what_a_reader_may_not_see_or_nobody_may_find_has_no_address():
    day = datetime.date(1893, 9, 26)
    open_, closed = a_collection(), a_collection(key="closed")
    a_lecture("One.", key="seen", date=day)
    a_lecture("Two.", key="unseen", date=day, collection=closed)
    gone = a_lecture("Three.", key="gone", title="Gone talk", date=day)
    work = a_work({"Enoch 1:1": "The words of the blessing of Enoch."}, books={"Enoch": {"1": 9}})
    assert addresses_in("Enoch 1:1", shelf().book)
    assert addresses_in("Gone talk, paragraph 1", shelf().book)
    source_withdraw(source=gone)
    source_withdraw(source=work)
    assert lecture_keys("1893-09-26", [open_.pk])[0] == ("seen 1",)
    assert lecture_keys("1893-09-26", [])[0] == ()
    assert not addresses_in("Enoch 1:1", shelf().book)
    assert not addresses_in("Gone talk, paragraph 1", shelf().book)


def test_a_lecture_is_found_by_its_title_where_only_one_has_it():
    a_lecture("One.", key="first", title="What is duty?")
    a_lecture("Two.", key="second", title="Preface")
    a_lecture("Three.", key="third", title="Preface")
    (mention,) = addresses_in("What is duty, paragraph 1", shelf().book)
    assert mention.keys == ("first 1",)
    assert not addresses_in("Preface, paragraph 1", shelf().book)


def test_schedules_are_equal_to_the_table_and_an_operators_own_stay():
    from django_q.models import Schedule

    Schedule.objects.create(name="mine", func="x.y", schedule_type=Schedule.DAILY)
    Schedule.objects.create(name="lectorium: gone", func="x.y", schedule_type=Schedule.DAILY)
    sync_schedules()
    sync_schedules()
    names = set(Schedule.objects.values_list("name", flat=True))
    assert names == {"mine", *(f"lectorium: {job.name}" for job in JOBS)}
