"""What is offered after an answer: a clean title, and only questions that these sources answer."""

import asyncio
import json
from uuid import uuid4

import pytest

from chat.answering.answer_stream import make_citation
from chat.answering.ask import operator
from chat.answering.current_turn import CurrentTurn, EventSink
from chat.answering.domain.events import Suggestions, Title
from chat.answering.domain.follow_ups import NearbyPassage, clean_title, likely_questions, read_questions
from chat.answering.domain.question import Mode, Question
from chat.answering.domain.words import words_in
from chat.answering.follow_ups import _suggest, questions_near
from chat.answering.turn import run_turn
from chat.answering.turn_records import respond_only
from chat.conversations.services import turn_start
from corpus.domain.text.folding import fold
from corpus.language import lexeme
from corpus.models import Chunk
from corpus.selectors import passages
from lectorium.providers.stand_ins.scripted import Reply
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

    with speaking("suggest", suggest), speaking("title", title):
        await run_turn(CurrentTurn(turn.pk, turn.conversation_id, question, EventSink(hear)), respond_only)
    await in_thread(turn.conversation.refresh_from_db)
    return events, turn.conversation


@pytest.mark.django_db(transaction=True)
async def test_only_questions_that_are_answered_are_offered_before_the_end(corpus):
    events, conversation = await said(json.dumps({"questions": PROPOSED}), "Who would not bow")
    assert [event.items for event in events if isinstance(event, Suggestions)] == [(PROPOSED[0],)]
    assert (
        [event.title for event in events if isinstance(event, Title)] == [conversation.title] == ["Who would not bow"]
    )
    assert events[-1].outcome == "grounded"


@pytest.mark.django_db(transaction=True)
async def test_models_that_fail_afterwards_leave_the_answer_as_it_is(corpus):
    broken = Reply.of("", fault="unreachable")
    events, conversation = await said(broken, broken)
    assert not [event for event in events if isinstance(event, Title)]
    assert (events[-1].outcome, conversation.title) == ("grounded", QUESTION)


NEAR = "A silver lamp stood on the hill. The lamp was lit each night, said Krishna."


def test_a_question_is_about_the_name_or_repeated_word_that_leads_beside_the_citations_and_is_new():
    near = [
        NearbyPassage("The First Steps", words_in(NEAR, lexeme)),
        NearbyPassage("The Second", words_in("A hill, once said.", lexeme)),
    ]
    assert likely_questions(near, set(), lambda stem: 1.0) == ("What does The First Steps say about lamp?",)
    assert likely_questions(near, {lexeme("lamp")}, lambda stem: 1.0) == (
        "What does The First Steps say about Krishna?",
    )
    assert likely_questions(near, {lexeme("lamp"), lexeme(fold("Krishna"))}, lambda stem: 1.0) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The potter may decide how, and may decide when.", ()),
        ("There are four stages; four came after the stages.", ("What does T say about stages?",)),
        ("The eastern gate is shut. An eastern wind blows.", ()),
        ("That is the question. It is a good question.", ()),
    ],
)
def test_a_verb_a_number_and_what_only_describes_are_not_asked_about(text, expected):
    assert likely_questions([NearbyPassage("T", words_in(text, lexeme))], set(), lambda stem: 1.0) == expected


def test_a_verse_beside_the_citations_is_asked_for_by_its_address():
    near = [NearbyPassage("Bhagavad-gītā: selected verses", words_in(NEAR, lexeme), "BG 2.48")]
    assert likely_questions(near, set(), lambda stem: 1.0) == ("What does BG 2.48 say?",)


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
async def test_without_a_model_too_only_what_retrieval_answers_is_offered(corpus):
    asked = []

    async def is_answerable(text):
        asked.append(text)
        return False

    events = []

    async def hear(event):
        events.append(event)

    await _suggest(*await answered(hear), is_answerable)
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

    first = asyncio.create_task(_suggest(*await answered(hear), is_answerable))
    await asyncio.wait_for(begun.wait(), 10)
    await asyncio.wait_for(_suggest(*await answered(hear), is_answerable), 10)
    seen.set()
    await first
    assert len(asked) == len(events) == 1


async def answered(hear):
    """Return a turn, and the citation of the verse of which the next one is asked for."""
    viewer = await in_thread(operator)
    turn = CurrentTurn(uuid4(), uuid4(), Question("What?", viewer, Mode.INSTANT), EventSink(hear))
    verse = await in_thread(lambda: Chunk.objects.get(text__contains="yours by right"))
    (passage,) = await in_thread(passages, [verse.pk])
    return turn, [make_citation(passage, (0, len(passage.text)), n=1, verdict="supported")]
