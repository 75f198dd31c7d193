"""Searching within a lecture: on its page, which needs no scripts, and in the pane beside an answer."""

import re

import pytest
from django.urls import reverse

from corpus.catalogue import lecture_search
from corpus.models import Collection
from tests.factories import a_lecture, a_timed_lecture

pytestmark = pytest.mark.django_db
MARK = re.compile(r'<mark class="found"(?: id="found-(\d+)")?>(.*?)</mark>')


@pytest.fixture
def lecture():
    return a_lecture("Kṛṣṇa said: dharma.", "Nothing here.", "Krishna and krsna again.", key="talk")


def page(client, lecture, q, status=200, name="lecture", **more):
    response = client.get(reverse(name, args=[lecture.pk]), {"q": q, **more})
    assert response.status_code == status
    return response.content.decode()


def test_every_place_is_marked_and_numbered_and_each_paragraph_linked(client, lecture):
    text = page(client, lecture, "krishna")
    assert MARK.findall(text) == [("1", "Kṛṣṇa"), ("2", "Krishna"), ("3", "krsna")]
    assert "3 places" in text
    assert re.findall(r'<a href="#found-(\d+)">([^<]+)</a>', text) == [("1", "talk:1"), ("2", "talk:3")]


def test_a_place_that_runs_over_two_phrases_has_one_number(client):
    lecture = a_timed_lecture(("The lamp does", 0.0, 2.0), ("not flicker.", 2.0, 4.0))
    text = page(client, lecture, "does not")
    assert [(number, words.strip()) for number, words in MARK.findall(text)] == [("1", "does"), ("", "not")]
    assert "1 place</span>" in text


def test_words_that_stand_nowhere_lead_to_the_search_of_all_lectures(client, lecture):
    text = page(client, lecture, "<b>banyan</b>")
    assert '“<span dir="auto">&lt;b&gt;banyan&lt;/b&gt;</span>”' in text
    assert "/search/?q=%3Cb%3Ebanyan" in text
    assert "<mark" not in text


@pytest.mark.parametrize("name", ["lecture", "lecture_pane"])
def test_a_search_of_a_thousand_characters_is_refused_with_a_sentence(client, lecture, name):
    text = page(client, lecture, "x" * 1000, status=400, name=name)
    assert "Search for at most 200 characters; these are 1,000." in text
    assert "Nothing here." in text


def test_of_very_many_places_the_first_are_marked(client, lecture, monkeypatch):
    monkeypatch.setattr(lecture_search, "MOST_PLACES", 2)
    text = page(client, lecture, "krishna")
    assert [number for number, _ in MARK.findall(text)] == ["1", "2"]
    assert "The first 2 places." in text


def test_without_a_search_nothing_is_marked(client, lecture):
    assert "<mark" not in page(client, lecture, " ")


def test_the_pane_opens_at_the_first_place_or_at_the_paragraph_that_is_asked_for(client, lecture):
    text = page(client, lecture, "nothing", name="lecture_pane")
    assert 'class="paragraph marked" data-address="talk:2"' in text
    text = page(client, lecture, "krishna", name="lecture_pane", at="talk:3")
    assert 'class="paragraph marked" data-address="talk:3"' in text
    assert 'data-at="talk:1"' in text


def test_a_lecture_that_is_hidden_is_not_searched(client, lecture):
    Collection.objects.update(visibility="restricted")
    page(client, lecture, "krishna", status=404)
