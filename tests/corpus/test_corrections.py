"""Editors' corrections of a lecture reach search at once, and later imports keep them."""

from datetime import date

import pytest
from django.contrib.auth.models import Group, User
from django.urls import reverse

from corpus.models import Chunk, Lecture
from corpus.selectors import corpus_version
from corpus.services.corrections import lecture_correct
from tests.factories import a_lecture

pytestmark = pytest.mark.django_db
FACTS = {"title": "A tlak", "speaker": "A. Techer", "date": date(1999, 5, 1), "series": "Mornings"}


def labels():
    return list(Chunk.objects.values_list("heading", "speaker", "folded_heading"))


@pytest.fixture
def lecture():
    return a_lecture("It is a tree.", "It grows.", **FACTS)


def test_a_correction_reaches_chunks_and_keeps_their_ids_and_vectors(lecture):
    before = list(Chunk.objects.values_list("pk", "embedded_hash", "content_hash"))
    version = corpus_version()
    said = lecture_correct(lecture=lecture, values={"title": "A Talk", "speaker": "A. Teacher", "series": "Mornings"})
    assert said == ["title", "speaker"]
    assert labels() == [("A Talk", "A. Teacher", "a talk")]
    assert "A. Teacher" in Chunk.objects.get().context
    assert list(Chunk.objects.values_list("pk", "embedded_hash", "content_hash")) == before
    assert corpus_version() != version
    assert Lecture.objects.get().corrections == {
        "title": ["A tlak", "A Talk"], "speaker": ["A. Techer", "A. Teacher"],
    }  # fmt: skip


def test_a_later_import_keeps_it_and_remembers_what_it_brought(lecture):
    lecture_correct(lecture=lecture, values={"title": "A Talk", "date": date(2001, 1, 1)})
    stored = a_lecture("It is a tree.", "It bears fruit.", **FACTS | {"title": "A tlak 2", "speaker": "B. Teacher"})
    assert (stored.title, stored.date, stored.speaker) == ("A Talk", date(2001, 1, 1), "B. Teacher")
    assert stored.corrections == {"title": ["A tlak 2", "A Talk"], "date": ["1999-05-01", "2001-01-01"]}
    assert labels() == [("A Talk", "B. Teacher", "a talk")]


def test_what_is_emptied_stays_empty_and_what_is_set_back_is_no_correction(lecture):
    lecture_correct(lecture=lecture, values={"date": None, "series": "", "title": "A Talk"})
    lecture_correct(lecture=lecture, values={"title": "A tlak"})
    stored = a_lecture("It is a tree.", **FACTS)
    assert (stored.date, stored.series, stored.title) == (None, "", "A tlak")
    assert stored.corrections.keys() == {"date", "series"}


def test_an_editor_corrects_it_in_admin_and_others_only_read(lecture, client):
    url = reverse("admin:corpus_lecture_change", args=[lecture.pk])
    values = {"title": "A Talk", "speaker": "A. Teacher", "date": "2001-01-01", "series": "", "key": "stolen"}
    for group, status in (("auditor", 403), ("editor", 302)):
        user = User.objects.create_user(group, is_staff=True)
        user.groups.add(Group.objects.get(name=group))
        client.force_login(user)
        assert client.post(url, values).status_code == status
    stored = Lecture.objects.get()
    assert (stored.title, stored.key, stored.date) == ("A Talk", "talk", date(2001, 1, 1))
    page = client.get(url).content.decode()
    assert "title: “A tlak” when imported" in page
    refused = client.post(url, {**values, "title": "", "date": "yesterday"}).content.decode()
    assert "This field is required." in refused
    assert "Enter a valid date." in refused
    assert Lecture.objects.get().title == "A Talk"
