"""The part of a source beside an answer: what is around the citation, for those who may open its page."""

from urllib.parse import quote

import pytest
from django.urls import reverse

from corpus.catalogue import reading
from corpus.models import Collection, Lecture
from tests.factories import a_lecture, a_timed_lecture, a_work

pytestmark = pytest.mark.django_db


def pane(client, source, at="", status=200):
    name = "lecture_pane" if isinstance(source, Lecture) else "work_pane"
    response = client.get(f"{reverse(name, args=[source.pk])}?at={quote(at)}")
    assert response.status_code == status
    return response.content.decode()


def test_a_transcript_is_given_around_the_paragraph_that_is_asked_for(client, monkeypatch):
    monkeypatch.setattr(reading, "PARAGRAPHS_BEFORE", 1)
    monkeypatch.setattr(reading, "PARAGRAPHS_AFTER", 2)
    lecture = a_lecture(*(f"Word {n}." for n in range(1, 11)), key="talk")
    text = pane(client, lecture, "talk:5")
    assert [n for n in range(1, 11) if f">Word {n}.<" in text] == [4, 5, 6, 7]
    assert 'class="paragraph marked" data-address="talk:5"' in text
    assert 'pane?at=talk%3A3" data-at="talk:3"' in text
    assert 'data-at="talk:8"' in text
    assert "Word 1." in pane(client, lecture, "talk:99")


def test_a_work_is_given_around_the_verse_in_any_spelling(client):
    work = a_work({f"John 1:{n}": f"Verse {n}." for n in range(1, 60)})
    text = pane(client, work, "john 1.20")
    assert 'class="paragraph verse marked" data-address="John 1:20"' in text
    assert "Verse 12." in text
    assert "Verse 11." not in text


def test_times_play_only_where_there_is_a_recording(client):
    lecture = a_timed_lecture(("One two.", 0.0, 2.0), key="timed")
    assert "Play from" not in pane(client, lecture)
    Lecture.objects.update(media="lectures/gone.mp3")
    assert "Play from" not in pane(client, lecture)


def test_words_of_a_source_are_escaped(client):
    assert "<script>" not in pane(client, a_lecture("<script>hurt()</script>", key='"><b>'))


def test_who_may_not_open_the_page_gets_no_pane(client):
    lecture, work = a_lecture(key="talk"), a_work({"Job 1:1": "There was a man."})
    Collection.objects.update(visibility="restricted")
    pane(client, lecture, status=404)
    pane(client, work, status=404)
    Collection.objects.update(visibility="public")
    Lecture.objects.update(state=Lecture.State.WITHDRAWN)
    pane(client, lecture, status=404)
