"""The form of a pin: lists, what is refused, and two editors at once."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.test import Client
from django.urls import reverse

from curation.entries import phrasings_of, references_of
from curation.models import PinnedQuestion
from curation.services import phrasing_add
from tests.curation.people import someone
from tests.factories import a_collection, a_lecture, a_pin, a_timed_lecture

pytestmark = pytest.mark.django_db
ADD = "admin:curation_pinnedquestion_add"


@pytest.fixture
def editor(client):
    editor = someone("editor")
    client.force_login(editor)
    return editor


@pytest.fixture
def lecture():
    return a_lecture("It is a tree.", "It is old.", key="old", title="Trees")


def form_of(pin, **changed):
    values = {"question": pin.question, "phrasings": phrasings_of(pin), "references": references_of(pin)}
    return values | {"language": "en", "framing": "", "opened": pin.updated_at.isoformat()} | changed


def change(client, pin, form):
    return client.post(reverse("admin:curation_pinnedquestion_change", args=[pin.pk]), form)


def test_empty_lines_are_left_out_and_the_order_of_the_page_is_kept(client, editor, lecture):
    form = {"question": "What is it?", "language": "en", "references": ["old:2", "", "old:1"], "phrasings": ["", " "]}
    assert client.post(reverse(ADD), form).status_code == 302
    pin = PinnedQuestion.objects.get()
    assert (references_of(pin), phrasings_of(pin)) == (["old:2", "old:1"], [])
    change(client, pin, form_of(pin, references=["old:1", "old:2"]))
    assert references_of(PinnedQuestion.objects.get()) == ["old:1", "old:2"]


def test_a_moment_and_another_spelling_become_the_address_of_the_source(client, editor):
    a_timed_lecture(("It is a tree.", 0.0, 5.0), ("It is old.", 65.0, 70.0), key="old", title="Trees")
    form = {"question": "What is it?", "language": "en", "references": ["OLD:1", "trees @ 1:06"]}
    assert client.post(reverse(ADD), form).status_code == 302
    assert references_of(PinnedQuestion.objects.get())[0] == "old:1"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"references": ["old:99", "foo"]}, "There is no passage at “old:99”, “foo”."),
        ({"references": [f"old:{n}" for n in range(41)]}, "There are 41 references; an entry has at most 40."),
        ({"references": ["secret:1"]}, "There is no passage at “secret:1”."),
        ({"phrasings": ["?!"]}, "A phrasing is empty."),
        ({"phrasings": ["what is IT"]}, "is written twice"),
        ({"question": "  "}, "This field is required."),
    ],
)
def test_what_cannot_be_saved_is_said_beside_the_field(client, editor, lecture, wrong, said):
    a_lecture("It is secret.", key="secret", collection=a_collection("closed", "restricted"))
    form = {"question": "What is it?", "language": "en", "references": ["old:1"]} | wrong
    assert said in client.post(reverse(ADD), form).content.decode()
    assert not PinnedQuestion.objects.exists()


def test_a_reference_is_shown_as_its_passage_and_flagged_when_it_stops_resolving(client, editor, lecture):
    pin = a_pin("What is it?", ["old:1"], state="draft")
    url = reverse("admin:curation_pinnedquestion_change", args=[pin.pk])
    page = client.get(url).content.decode()
    assert "It is a tree." in page
    assert "Trees" in page
    lecture.delete()
    assert "There is no passage here." in client.get(url).content.decode()
    changelist = reverse("admin:curation_pinnedquestion_changelist")
    assert "A reference leads nowhere" in client.get(changelist, {"references": "gone"}).content.decode()
    assert "There is no passage at “old:1”" in change(client, pin, form_of(pin)).content.decode()


def test_a_passage_that_the_editor_may_not_read_is_not_shown_but_stays(client, editor):
    a_lecture("It is secret.", key="secret", collection=a_collection("closed", "restricted"))
    pin = a_pin("What is it?", ["secret:1"], state="draft")
    page = client.get(reverse("admin:curation_pinnedquestion_change", args=[pin.pk])).content.decode()
    assert "It is secret." not in page
    assert "It stands in a collection that you may not read." in page
    assert change(client, pin, form_of(pin, question="And that?")).status_code == 302
    assert references_of(PinnedQuestion.objects.get()) == ["secret:1"]


def test_the_second_of_two_editors_sees_the_difference_and_may_save_again(client, editor, lecture):
    pin = a_pin("What is it?", ["old:1"], state="draft")
    opened = form_of(pin, question="What is this?")
    phrasing_add(pin=pin, text="What is that?", by=someone("editor", "ann"))
    response = change(client, pin, opened)
    said = response.content.decode()
    assert "Somebody else saved this entry while you had it open." in said
    assert "Changed meanwhile by ann" in said
    (difference,) = response.context["adminform"].form.conflict
    assert (difference.name, difference.before, difference.after) == ("Other wordings", "", "What is that?")
    assert PinnedQuestion.objects.get().question == "What is it?"
    again = opened | {"opened": response.context["adminform"].form["opened"].value()}
    assert change(client, pin, again).status_code == 302
    assert PinnedQuestion.objects.get().question == "What is this?"


@pytest.mark.django_db(transaction=True)
def test_of_two_editors_who_save_at_once_one_is_shown_the_difference(lecture):
    pin = a_pin("What is it?", ["old:1"], state="draft")
    editors = [Client(), Client()]
    for client in editors:
        client.force_login(someone("editor"))

    def save(client, number):
        try:
            return change(client, pin, form_of(pin, framing=f"Number {number}")).status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(save, editors, (1, 2)))
    assert sorted(answers) == [200, 302]
    assert pin.history.count() == 2


def test_saving_without_a_change_adds_no_version(client, editor, lecture):
    pin = a_pin("What is it?", ["old:1"], state="draft")
    assert change(client, pin, form_of(pin)).status_code == 302
    assert pin.history.count() == 1


def test_a_link_fills_in_a_new_pin(client, editor, lecture):
    page = client.get(reverse(ADD), {"question": "What is it?", "references": "old:2, old:1"}).content.decode()
    assert page.index("It is old.") < page.index("It is a tree.")


def test_the_history_shows_values_who_and_why(client, editor, lecture):
    pin = a_pin("What is it?", ["old:1"], state="draft")
    change(client, pin, form_of(pin, references=["old:2"], _submit="1"))
    page = client.get(reverse("admin:curation_pinnedquestion_history", args=[pin.pk])).content.decode()
    assert page.index("Submitted for review") < page.index("Changed <small>editor")
    assert '<td dir="auto">old:1</td><td dir="auto">old:2</td>' in page
