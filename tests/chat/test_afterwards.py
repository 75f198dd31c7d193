"""What is offered after an answer: a clean title, and only questions that these sources answer."""

import json

import pytest

from chat.asking import operator
from chat.domain.events import Suggestions, Title
from chat.domain.following import clean_title, read_questions
from chat.domain.question import Mode, Question
from chat.journal import Journal
from chat.services import turn_start
from chat.turn import conduct
from lectorium.providers.scripted import Reply
from lectorium.threads import in_thread
from tests.chat.authors import give, speaking

QUESTION = "Who refused to bow to the newly made man?"
PROPOSED = ["What does the banyan tree do for five thousand years?", "Who discovered penicillin in London?", QUESTION]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ('"Iblis and the first man."', "Iblis and the first man"),
        ("**Iblis** [^1]\nMore", "Iblis"),
        ("<think>hm</think>Iblis", "Iblis"),
        ("A title that goes on and on and never comes to any end at all", ""),
        ("", ""),
    ],
)
def test_a_title_is_one_clean_line_or_none(text, title):
    assert clean_title(text) == title


@pytest.mark.parametrize("text", ["", "Sure!", "[]", '{"questions": 3}', '{"questions": [1]}', "[" * 100_000])
def test_what_is_no_list_of_questions_proposes_none(text):
    assert read_questions(text, QUESTION) == ()


async def said(suggest, title):
    """Return the events that follow an answer whose title and next questions models propose."""
    await give("suggest", "title")
    viewer = await in_thread(operator)
    asked = Question(QUESTION, viewer, Mode.INSTANT)
    turn, question = await in_thread(turn_start, question=asked, conversation_id=None)
    events = []

    async def hear(event):
        events.append(event)

    async def keep(journal):
        """The record is not looked at."""

    with speaking("suggest", suggest), speaking("title", title):
        await conduct(Journal(turn.pk, turn.conversation_id, question, hear), keep)
    await in_thread(turn.conversation.refresh_from_db)
    return events, turn.conversation


@pytest.mark.django_db(transaction=True)
async def test_only_questions_that_are_answered_are_offered_before_the_end(corpus):
    events, conversation = await said(json.dumps({"questions": PROPOSED}), "Who would not bow")
    assert [one.items for one in events if isinstance(one, Suggestions)] == [(PROPOSED[0],)]
    assert [one.title for one in events if isinstance(one, Title)] == [conversation.title] == ["Who would not bow"]
    assert events[-1].outcome == "grounded"


@pytest.mark.django_db(transaction=True)
async def test_models_that_fail_afterwards_leave_the_answer_as_it_is(corpus):
    broken = Reply.of("", fault="unreachable")
    events, conversation = await said(broken, broken)
    assert not [one for one in events if isinstance(one, Suggestions | Title)]
    assert (events[-1].outcome, conversation.title) == ("grounded", QUESTION)
