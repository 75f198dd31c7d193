"""Other wordings are proposed on the form of a pin: refused questions, and a model's where one is configured."""

import pytest
from django.urls import reverse

from curation.models import PinPhrasing
from lectorium.ladder.models import Rung
from lectorium.ladder.services import rung_save
from lectorium.providers.stand_ins.scripted import Reply
from tests.chat.authors import speaking
from tests.curation.gaps.conftest import asked
from tests.curation.people import someone
from tests.factories import a_pin

__all__ = ["asked"]

pytestmark = pytest.mark.django_db(transaction=True)
QUESTION = "How should one work without wanting anything?"
REFUSED = "How should one work without wanting a reward?"
ANSWER = "Sure, here they are:\n1. How do I work without desire?\nThe Gita says so.\n2. " + REFUSED


@pytest.fixture
def editor(client, corpus):
    client.force_login(someone("editor"))
    return client


@pytest.fixture
def model():
    return rung_save(rung=Rung(job="rephrase", model="scripted:rephrase", max_tokens=200), by="tests")


def proposed(client, **form):
    given = {"question": QUESTION, "language": "en", "phrasings": []} | form
    answer = client.post(reverse("admin:curation_wordings"), given)
    assert answer.status_code == 200
    return answer.content.decode()


def test_refused_questions_of_the_subject_are_proposed_without_a_model(editor, asked):
    asked(REFUSED, REFUSED, "What is the capital of France?")
    page = proposed(editor)
    assert f"{REFUSED}</span> <small>Asked 2 times in vain" in page
    assert "France" not in page
    page = proposed(editor, phrasings=[REFUSED.upper()])
    assert "No refused question is like this one. No model does `rephrase`" in page


def test_a_model_adds_its_wordings_to_those_of_the_log_and_prose_is_dropped(editor, asked, model):
    asked(REFUSED)
    with speaking("rephrase", ANSWER) as scripted:
        page = proposed(editor, phrasings=["How does one work freely?"])
    assert "How do I work without desire?</span> <small>Proposed by the model" in page
    assert page.count(REFUSED + "</span>") == 1
    assert "Gita" not in page
    assert "Sure" not in page
    system, user = scripted.asked[0]
    assert "8 other ways" in system.text
    assert f"| {QUESTION}" in user.text
    assert "| How does one work freely?" in user.text
    assert not PinPhrasing.objects.exists()


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("I cannot do that.", "The model wrote no usable question."),
        (Reply.of("", fault="unreachable"), "The model did not answer."),
    ],
)
def test_a_model_that_fails_says_so_and_leaves_the_refused_questions(editor, asked, model, reply, said):
    asked(REFUSED)
    with speaking("rephrase", reply):
        page = proposed(editor)
    assert REFUSED in page
    assert said in page


def test_a_question_is_needed_first(editor):
    assert "Write the question of the pin first." in proposed(editor, question=" ")


def test_the_form_offers_it_to_those_who_may_write_pins(editor, client):
    pin = a_pin("Who am I?", ["BG 2.47"], state="draft")
    page = editor.get(reverse("admin:curation_pinnedquestion_change", args=[pin.pk])).content.decode()
    assert "Suggest wordings" in page
    client.force_login(someone("auditor"))
    assert client.post(reverse("admin:curation_wordings"), {"question": QUESTION}).status_code == 403
    client.force_login(someone("reader"))
    assert client.post(reverse("admin:curation_wordings"), {"question": QUESTION}).status_code == 302
