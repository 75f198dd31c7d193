"""Try it: unsaved edits against a question, with every entry, collisions, and both answers."""

import pytest
from django.urls import reverse

from corpus.selectors import serving_space
from curation.matching.indexing import entries_index
from curation.models import PinnedQuestion
from tests.curation.people import someone
from tests.factories import a_pin

pytestmark = pytest.mark.django_db(transaction=True)
ASKED = "How should one work without wanting anything?"
TRY_NEW = "admin:curation_pinnedquestion_try_new"


@pytest.fixture
def editor(client, corpus):
    client.force_login(someone("editor"))


def tried(client, url, **form):
    given = {"question": ASKED, "references": ["BG 2.48", "BG 2.47"], "language": "en", "try_question": ASKED} | form
    return client.post(url, given, headers={"x-requested-with": "fetch"}).content.decode()


def test_an_unsaved_pin_answers_on_trial_and_only_there(client, editor):
    page = tried(client, reverse(TRY_NEW), framing="Hear it twice.")
    assert "<strong>This entry</strong>" in page
    assert "Answers with its 2 passages, in its order." in page
    with_it, without_it = page.split('aria-label="Without it"')
    assert "Hear it twice." in with_it
    assert "Hear it twice." not in without_it
    assert with_it.index("BG 2.48</a>") < with_it.index("BG 2.47</a>")
    assert not PinnedQuestion.objects.exists()


def test_edits_of_a_stored_pin_count_before_they_are_saved(client, editor):
    pin = a_pin("Who am I?", ["BG 2.47"], state="draft")
    url = reverse("admin:curation_pinnedquestion_try", args=[pin.pk])
    assert "Answers with its 1 passage, in its order." not in tried(client, url, question="Who am I?")
    assert "Answers with its 1 passage, in its order." in tried(client, url, references=["BG 2.47"])
    assert PinnedQuestion.objects.get().question == "Who am I?"


def test_another_entry_that_answers_the_same_is_a_collision(client, editor):

    other = a_pin(ASKED, ["BG 2.48"])
    entries_index(serving_space())
    page = tried(client, reverse(TRY_NEW), question="What is work?", phrasings=[ASKED])
    assert "Collides: another pin answers too." in page
    assert "Collisions" in page
    assert str(other.pk) in page


def test_a_pin_that_changes_nothing_says_so(client, editor):
    page = tried(client, reverse(TRY_NEW), try_question="What is the capital of France?")
    assert "It is the same with and without this entry." in page
    assert "Nothing." in page


def test_without_a_judge_no_similarity_is_said_to_be_enough(client, editor, monkeypatch):
    monkeypatch.setattr("curation.preview.rewording_judge", lambda: None)
    assert 'data-label="Needed">the same words<' in tried(client, reverse(TRY_NEW), try_question="What is wanting?")


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"try_question": " "}, "Type a question to try."),
        ({"question": ""}, "Write the question of the pin, or the title of the note, first."),
    ],
)
def test_what_cannot_be_tried_says_why(client, editor, form, said):
    assert said in tried(client, reverse(TRY_NEW), **form)


def test_without_scripts_the_result_is_a_page(client, editor):
    form = {"question": ASKED, "references": ["BG 2.47"], "language": "en", "try_question": ASKED}
    page = client.post(reverse(TRY_NEW), form).content.decode()
    assert "Nothing was saved." in page
    assert "With this entry" in page
