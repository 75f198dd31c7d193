"""A verse's neighbours, and the lectures that discuss it."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse

from corpus.catalogue.mentions import lectures_discussing, mentions_refresh
from corpus.models import AddressScheme, Lecture, Section, VerseMention
from corpus.tasks import index_along
from tests.factories import a_collection, a_lecture, a_work, the_schemes

pytestmark = pytest.mark.django_db
ANYBODY = AnonymousUser()


@pytest.fixture
def gita():
    the_schemes()
    return a_work({f"BG 2.{n}": f"Verse {n}." for n in (45, 46, 47, 48)}, key="gita", title="Gita")


def named_in(address, reader=ANYBODY):
    mentions_refresh()
    found = lectures_discussing(reader, Section.objects.get(work__isnull=False, address=address))
    return {entry.lecture.title: [place.address for place in entry.places] for entry in found}


@pytest.mark.parametrize(
    "words", ["See BG 2.47.", "Bhagavad-gītā 2:47 says so.", "In chapter two, verse forty-seven of the Gita.",
              "Read BG 2.45-48.", "BG 2.12, 2.47 and more."],
)  # fmt: skip
def test_a_lecture_discusses_a_verse_that_it_names_in_any_way(gita, words):
    a_lecture("Nothing.", words, key="talk", title="A talk")
    assert named_in("BG 2.47") == {"A talk": ["talk:2"]}


@pytest.mark.parametrize(
    "words", ["See BG 2.46.", "Read BG 2 today.", "SB 1.2.47", "At 2.47 pm.", "BG 2.99999999999999"]
)
def test_another_verse_a_whole_chapter_or_a_time_of_day_is_no_mention(gita, words):
    a_lecture(words, key="talk")
    assert named_in("BG 2.47") == {}


def test_a_section_of_several_verses_is_discussed_where_one_of_them_is_named():
    the_schemes()
    a_work({"BG 1.16": "Three verses."})
    Section.objects.update(address="BG 1.16-18")
    a_lecture("See BG 1.17.", key="talk", title="A talk")
    assert named_in("BG 1.16-18") == {"A talk": ["talk:1"]}


def test_only_published_lectures_that_the_reader_may_see_are_listed(gita):
    a_lecture("See BG 2.47.", key="hidden", title="Hidden", collection=a_collection("garden", "restricted"))
    a_lecture("See BG 2.47.", key="gone", title="Gone")
    Lecture.objects.filter(key="gone").update(state=Lecture.State.WITHDRAWN)
    a_lecture("See BG 2.47.", key="open", title="Open")
    assert list(named_in("BG 2.47")) == ["Open"]


def test_a_lecture_is_read_again_only_where_its_text_or_the_names_of_books_changed(gita):
    lecture = a_lecture("See BG 2.47 and the Song 2.46.", key="talk", title="A talk")
    assert mentions_refresh() == 1
    assert mentions_refresh() == 0
    assert named_in("BG 2.46") == {}
    scheme = AddressScheme.objects.get(label="BG")
    scheme.aliases = f"{scheme.aliases}\nthe song"
    scheme.save()
    assert named_in("BG 2.46") == {"A talk": ["talk:1"]}
    Section.objects.filter(lecture=lecture).update(text="See BG 2.48.")
    Lecture.objects.update(text="See BG 2.48.")
    assert named_in("BG 2.46") == {}
    assert named_in("BG 2.48") == {"A talk": ["talk:1"]}


def test_the_index_job_reads_the_verses(gita):
    a_lecture("See BG 2.47.", key="talk")
    index_along()
    assert VerseMention.objects.count() == 1


@pytest.mark.parametrize("name", ["work", "work_pane"])
def test_the_page_of_a_verse_leads_to_its_neighbours_its_section_and_its_lectures(client, gita, name):
    Section.objects.filter(work=gita).update(heading="Chapter 2")
    lecture = a_lecture("See BG 2.47.", key="talk", title="A <talk>")
    mentions_refresh()
    text = client.get(reverse(name, args=[gita.pk]), {"at": "BG 2.47"}).content.decode()
    assert "← BG 2.46" in text
    assert "BG 2.48 →" in text
    assert "Beginning of Chapter 2" in text
    assert f'href="/lectures/{lecture.pk}/#p-1" lang="en" dir="auto">A &lt;talk&gt;</a>' in text


def test_at_the_edges_of_a_work_and_without_a_verse_there_is_nothing_beside(client, gita):
    page = reverse("work", args=[gita.pk])
    assert "Lectures that discuss" not in client.get(page, {"at": "BG 2.45"}).content.decode()
    assert 'class="about"' not in client.get(page).content.decode()
    assert 'rel="prev"' not in client.get(page, {"at": "BG 2.45"}).content.decode()
