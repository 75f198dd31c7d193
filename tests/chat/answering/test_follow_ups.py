"""What is offered after an answer: a clean title, and only questions that these sources answer."""

import asyncio
import json
from uuid import uuid4

import pytest

from chat.answering.after_answer import run_turn
from chat.answering.answer_stream import make_citation
from chat.answering.ask import operator
from chat.answering.current_turn import CurrentTurn, EventSink
from chat.answering.domain.events import Done, Suggestions, Title
from chat.answering.domain.follow_ups import clean_title, read_questions
from chat.answering.domain.question import Mode, Question
from chat.answering.follow_ups import _suggest, questions_near
from chat.answering.turn_records import respond_only
from chat.conversations.services import turn_start
from chat.models import Conversation
from corpus.models import Chunk
from corpus.selectors import passages
from lectorium.providers.stand_ins.scripted import Reply
from lectorium.threads import in_thread
from tests.chat.authors import give, speaking
from tests.factories import a_pin

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


async def said(suggest, title, name=""):
    """Return the events that follow an answer whose title and next questions models propose.

    name: given by the reader once the answer stands.
    """
    await give("suggest", "title")
    viewer = await in_thread(operator)
    asked = Question(QUESTION, viewer, Mode.INSTANT)
    turn, question = await in_thread(turn_start, question=asked, conversation_id=None)
    events = []

    async def hear(event):
        events.append(event)
        if name and isinstance(event, Done):
            await in_thread(Conversation.objects.filter(pk=turn.conversation_id).update, title=name)

    with speaking("suggest", suggest), speaking("title", title):
        await run_turn(CurrentTurn(turn.pk, turn.conversation_id, question, EventSink(hear)), respond_only)
    await in_thread(turn.conversation.refresh_from_db)
    return events, turn.conversation


@pytest.mark.django_db(transaction=True)
async def test_only_questions_that_are_answered_are_offered_and_only_after_the_end(corpus):
    events, conversation = await said(json.dumps({"questions": PROPOSED}), "Who would not bow")
    assert [event.items for event in events if isinstance(event, Suggestions)] == [(PROPOSED[0],)]
    assert (
        [event.title for event in events if isinstance(event, Title)] == [conversation.title] == ["Who would not bow"]
    )
    assert [type(event) for event in events[-3:]] == [Done, Title, Suggestions]


@pytest.mark.django_db(transaction=True)
async def test_a_title_does_not_replace_the_name_that_a_reader_gave_meanwhile(corpus):
    events, conversation = await said("{}", "Who would not bow", name="My own name")
    assert conversation.title == "My own name"
    assert not [event for event in events if isinstance(event, Title)]


@pytest.mark.django_db(transaction=True)
async def test_models_that_fail_afterwards_leave_the_answer_as_it_is(corpus):
    broken = Reply.of("", fault="unreachable")
    events, conversation = await said(broken, broken)
    assert not [event for event in events if isinstance(event, Title)]
    assert ([event.outcome for event in events if isinstance(event, Done)], conversation.title) == (
        ["grounded"],
        QUESTION,
    )


def at_leisure():
    return False


async def proposed(locale, *, fresh=False):
    viewer = await in_thread(operator)
    question = Question("What is yours by right?", viewer, Mode.INSTANT, locale)
    turn = CurrentTurn(uuid4(), uuid4(), question, EventSink(), fresh=fresh)
    verse = await in_thread(lambda: Chunk.objects.get(text__contains="yours by right"))
    (passage,) = await in_thread(passages, [verse.pk])
    cited = make_citation(passage, (0, len(passage.text)), n=1, verdict="supported")
    return await in_thread(questions_near, turn, [cited])


@pytest.mark.django_db(transaction=True)
async def test_without_a_model_questions_come_from_beside_the_citations_where_a_reader_reads_english(corpus):
    assert await proposed("en") == ("What does BG 2.48 say?",)
    assert await proposed("de") == await proposed("en", fresh=True) == ()


@pytest.mark.django_db(transaction=True)
async def test_no_next_questions_are_looked_for_while_others_would_wait(corpus):
    async def is_answerable(text):
        pytest.fail("looked for")

    async def hear(event):
        pytest.fail("said")

    await _suggest(*await answered(hear), is_answerable, lambda: True, (), ())


@pytest.mark.django_db(transaction=True)
async def test_without_a_model_too_only_what_retrieval_answers_is_offered(corpus):
    asked = []

    async def is_answerable(text):
        asked.append(text)
        return False

    events = []

    async def hear(event):
        events.append(event)

    await _suggest(*await answered(hear), is_answerable, at_leisure, (), ())
    assert len(asked) == 1
    assert events == []


@pytest.mark.django_db(transaction=True)
async def test_while_one_turn_looks_for_next_questions_no_other_does(corpus):
    begun, seen, asked = asyncio.Event(), asyncio.Event(), []

    async def is_answerable(text):
        asked.append(text)
        begun.set()
        await seen.wait()
        return True

    events = []

    async def hear(event):
        events.append(event)

    first = asyncio.create_task(_suggest(*await answered(hear), is_answerable, at_leisure, (), ()))
    await asyncio.wait_for(begun.wait(), 10)
    await asyncio.wait_for(_suggest(*await answered(hear), is_answerable, at_leisure, (), ()), 10)
    seen.set()
    await first
    assert len(asked) == len(events) == 1


@pytest.mark.django_db(transaction=True)
async def test_no_next_questions_are_looked_for_after_an_overlong_question(corpus):
    asked = []

    async def is_answerable(text):
        asked.append(text)
        return True

    async def hear(event):
        asked.append(event)

    await _suggest(*await answered(hear, "What is yours? " * 100), is_answerable, at_leisure, (), ())
    assert asked == []


async def answered(hear, text="What?"):
    """Return a turn, and the citation of the verse of which the next one is asked for."""
    viewer = await in_thread(operator)
    turn = CurrentTurn(uuid4(), uuid4(), Question(text, viewer, Mode.INSTANT), EventSink(hear))
    verse = await in_thread(lambda: Chunk.objects.get(text__contains="yours by right"))
    (passage,) = await in_thread(passages, [verse.pk])
    return turn, [make_citation(passage, (0, len(passage.text)), n=1, verdict="supported")]


async def after(question, pins, phrasings=()):
    """How a question ends beside these pins, and the questions that its reader is offered then."""
    for pinned, references in pins.items():
        await in_thread(a_pin, pinned, references, phrasings)
    asked = Question(question, await in_thread(operator), Mode.INSTANT)
    turn, asked = await in_thread(turn_start, question=asked, conversation_id=None)
    events = []

    async def hear(event):
        events.append(event)

    response = await run_turn(CurrentTurn(turn.pk, turn.conversation_id, asked, EventSink(hear)), respond_only)
    return response.outcome, [event.items for event in events if isinstance(event, Suggestions)]


ASKED, NEAR = "Which beds do zebras find on winter nights?", "Where do zebras sleep in cold winter months?"


@pytest.mark.django_db(transaction=True)
async def test_where_nothing_answers_the_question_of_a_pin_that_came_near_is_offered(corpus):
    pins = {NEAR: ["first-steps:2"], "What is made of gold?": ["BG 2.47"]}
    assert await after(ASKED, pins) == ("refused", [(NEAR,)])


@pytest.mark.django_db(transaction=True)
async def test_a_pin_that_came_near_is_not_offered_where_another_answers(corpus):
    outcome, offered = await after(ASKED, {NEAR: ["first-steps:2"], ASKED: ["BG 2.47"]})
    assert (outcome, offered) == ("grounded", [("What does BG 2.48 say?",)])


@pytest.mark.django_db(transaction=True)
async def test_a_pin_that_answered_another_wording_of_its_question_is_not_offered_after_it(corpus):
    outcome, offered = await after(ASKED, {NEAR: ["BG 2.47"]}, [ASKED])
    assert (outcome, offered) == ("grounded", [("What does BG 2.48 say?",)])
