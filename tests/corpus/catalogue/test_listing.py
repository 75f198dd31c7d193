"""The list of what can be read: what a reader may open, by series, and no more."""

import datetime
import re

import pytest
from django.contrib.auth.models import Group, User
from django.core.files.base import ContentFile
from django.test import Client
from django.urls import reverse

from corpus.catalogue import listing
from corpus.models import Collection, Lecture, Section, Work
from tests.factories import a_collection, a_lecture, a_work

pytestmark = pytest.mark.django_db
DAY = datetime.date(2024, 3, 5)


@pytest.fixture(autouse=True)
def media_folder(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def library():
    collection = a_collection()
    a_lecture(key="late", title="The Late Rain", series="Monsoon", date=DAY + datetime.timedelta(days=1))
    a_lecture(key="early", title="The Early Rain", series="Monsoon", date=DAY, speaker="A. Speaker")
    a_lecture(key="alone", title="A Talk Alone")
    a_work({"BG 2.13": "As the body passes.", "BG 2.14": "Heat and cold."}, key="gita", title="Bhagavad-gītā")
    return collection


def listed(client, **query):
    response = client.get(reverse("lectures"), query)
    assert response.status_code == 200
    return response.content.decode()


def titles(text):
    return re.findall(r'<a href="/(?:lectures|works)/[0-9a-f-]+/" lang="en" dir="auto">([^<]+)</a>', text)


def test_works_come_first_then_lectures_by_series_and_date(client, library):
    text = listed(client)
    assert titles(text) == ["Bhagavad-gītā", "A Talk Alone", "The Early Rain", "The Late Rain"]
    assert re.findall(r'<h2(?: dir="auto")?>([^<]+)</h2>', text) == ["Works", "Library", "Monsoon"]
    assert "3 lectures and 1 work." in text
    assert "2 verses" in text


def test_a_lecture_says_when_by_whom_how_long_and_whether_it_can_be_heard(client, library):
    early = Lecture.objects.get(key="early")
    early.media.save("early.mp3", ContentFile(b"a sound"))
    Lecture.objects.filter(pk=early.pk).update(media_seconds=754.2)
    line = '<time datetime="2024-03-05">5 March 2024</time> · A. Speaker · 12:34 · recording</p>'
    text = listed(client)
    assert line in text
    assert text.count("recording</p>") == 1
    early.media.storage.delete(early.media.name)
    assert "recording</p>" not in listed(client)


@pytest.mark.parametrize("state", ["withdrawn", "replaced"])
def test_what_is_not_published_is_neither_listed_nor_counted(client, library, state):
    Lecture.objects.filter(key="late").update(state=state)
    Work.objects.update(state=state)
    text = listed(client)
    assert titles(text) == ["A Talk Alone", "The Early Rain"]
    assert "2 lectures." in text
    assert titles(listed(client, q="rain")) == ["The Early Rain"]


def test_each_reader_sees_the_collections_that_are_open_to_them(client, library):
    garden, well = (a_collection(key, "restricted") for key in ("garden", "well"))
    for collection in (garden, well):
        a_lecture(key=collection.key, title=f"Of the {collection.key}", collection=collection)
    a_lecture(key="inner", title="For Members", collection=a_collection("members", "members"))
    open_to_all = ["A Talk Alone", "The Early Rain", "The Late Rain"]
    readers = {name: User.objects.create_user(name) for name in ("gardener", "digger")}
    for collection, reader in ((garden, "gardener"), (well, "digger")):
        group = Group.objects.create(name=reader)
        collection.groups.add(group)
        readers[reader].groups.add(group)
    readers["editor"] = User.objects.create_superuser("editor")
    seen = {None: set(), "gardener": {"For Members", "Of the garden"}, "digger": {"For Members", "Of the well"},
            "editor": {"For Members", "Of the garden", "Of the well"}}  # fmt: skip
    for name, more in seen.items():
        reader = Client()
        if name:
            reader.force_login(readers[name])
        text = listed(reader)
        assert set(titles(text)) == {"Bhagavad-gītā", *open_to_all, *more}
        assert f"{3 + len(more)} lectures and 1 work." in text
        assert titles(listed(reader, q="of the")) == sorted(title for title in more if title.startswith("Of"))


def test_titles_are_found_by_their_words_however_they_are_accented(client, library):
    assert titles(listed(client, q="rain early")) == ["The Early Rain"]
    assert titles(listed(client, q="  GITA ")) == ["Bhagavad-gītā"]
    assert titles(listed(client, q="गीता")) == ["Bhagavad-gītā"]
    assert titles(listed(client, q="2.13")) == []


def test_a_title_that_nothing_has_leads_to_a_search_of_the_texts(client, library):
    text = listed(client, q="a&b <i>/")
    assert 'No title has “<span dir="auto">a&amp;b &lt;i&gt;/</span>”' in text
    assert 'href="/search/?q=a%26b%20%3Ci%3E%2F"' in text


def test_a_renamed_lecture_is_found_by_its_new_title(client, library):
    assert titles(listed(client, q="alone")) == ["A Talk Alone"]
    a_lecture(key="alone", title="A Talk in Company")
    library.save()
    assert titles(listed(client, q="company")) == ["A Talk in Company"]


def test_a_long_list_has_pages_that_keep_the_filter(client, library, monkeypatch):
    monkeypatch.setattr(listing, "PAGE_SIZE", 2)
    text = listed(client)
    assert titles(text) == ["Bhagavad-gītā", "A Talk Alone"]
    assert 'href="?page=2" rel="next"' in text
    assert "Page 1 of 2" in text
    text = listed(client, page="2")
    assert titles(text) == ["The Early Rain", "The Late Rain"]
    assert 'href="?page=1" rel="prev"' in text
    assert titles(listed(client, page="99")) == titles(text)
    assert titles(listed(client, page="none")) == titles(listed(client))
    monkeypatch.setattr(listing, "PAGE_SIZE", 1)
    assert 'href="?q=rain&amp;page=2"' in listed(client, q="rain")


def test_a_library_without_sources_says_so_and_offers_to_sign_in(client):
    text = listed(client)
    assert "There is nothing to read yet" in text
    assert "/login/?next=/lectures/" in text


def test_hostile_words_are_shown_as_words(client, library):
    hostile = "<script>hurt()</script>"
    Lecture.objects.update(title=hostile, speaker=hostile, series=hostile)
    Work.objects.update(title=hostile, translator=hostile)
    Collection.objects.update(title=hostile)
    assert "<script>hurt" not in listed(client) + listed(client, q=hostile)


def test_more_sources_cost_no_more_queries(client, library, django_assert_num_queries):
    with django_assert_num_queries(4):
        listed(client)
    works = [Work(collection=library, key=f"w{n}", title=f"Work {n}", source_hash="") for n in range(20)]
    Work.objects.bulk_create(works)
    verses = [Section(work=work, ordinal=1, address="W 1", address_key="w 1", text="A verse.") for work in works]
    Section.objects.bulk_create(verses)
    lectures = (Lecture(collection=library, key=f"l{n}", title=f"Talk {n}", source_hash="") for n in range(40))
    Lecture.objects.bulk_create(lectures)
    with django_assert_num_queries(4):
        assert len(titles(listed(client))) == 50
    with django_assert_num_queries(4):
        assert len(titles(listed(client, page="2"))) == 14
