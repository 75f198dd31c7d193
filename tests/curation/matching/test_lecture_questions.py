"""Which questions a lecture's page shows: those that editors published for its readers, and no reader's own."""

import pytest
from django.contrib.auth.models import AnonymousUser, Group, User
from django.urls import reverse

from audit.models import RegressionCase
from chat.models import Conversation, Turn
from curation.matching.lecture_questions import questions_about
from tests.factories import a_collection, a_lecture, a_pin

pytestmark = pytest.mark.django_db
ANYBODY = AnonymousUser()


@pytest.fixture
def lecture():
    return a_lecture("One.", "Two.", key="talk")


def questions_for(reader, lecture):
    return [question.text for question in questions_about(reader, lecture)]


def test_published_pins_to_a_paragraph_of_the_lecture_are_shown_once_each(client, lecture):
    a_lecture("Three.", key="other")
    a_pin("What is <two>?", ["talk:2", "talk:1"])
    a_pin("What is three?", ["other:1"])
    assert questions_for(ANYBODY, lecture) == ["What is <two>?"]
    text = client.get(reverse("lecture", args=[lecture.pk])).content.decode()
    assert '<a href="/?question=What%20is%20%3Ctwo%3E%3F" lang="en" dir="auto">What is &lt;two&gt;?</a>' in text


@pytest.mark.parametrize("state", ["draft", "in_review", "withdrawn"])
def test_what_is_not_published_is_not_shown(lecture, state):
    a_pin("What is two?", ["talk:2"], state=state)
    assert questions_for(ANYBODY, lecture) == []


def test_a_pin_for_one_collection_is_shown_to_its_readers_only(lecture):
    garden = a_collection("garden", "restricted")
    garden.groups.add(Group.objects.create(name="gardeners"))
    a_pin("What is two?", ["talk:2"], collection=garden)
    member = User.objects.create_user("alice")
    member.groups.add(Group.objects.get(name="gardeners"))
    assert questions_for(ANYBODY, lecture) == []
    assert questions_for(member, lecture) == ["What is two?"]


def test_what_a_reader_asked_is_not_shown_even_as_a_regression_case(client, lecture):
    asked = "My private question?"
    Turn.objects.create(conversation=Conversation.objects.create(visitor="x"), question=asked, outcome="grounded")
    RegressionCase.objects.create(question=asked, references=["talk:1"])
    assert asked not in client.get(reverse("lecture", args=[lecture.pk])).content.decode()
