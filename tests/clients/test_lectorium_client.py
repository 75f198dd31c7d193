"""The small client, against the real application over a real connection."""

import asyncio
import threading

import pytest

from chat.answering import turn
from chat.answering.turn_result import TurnResult
from chat.live import event_log
from chat.models import Turn
from clients.lectorium_client import Lectorium, LectoriumError
from tests.api.conftest import OUTSIDE, QUESTION

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def lectorium(bob, site):
    with Lectorium(site.url, bob.secret, wait=0.05) as client:
        yield client


def test_an_answer_has_its_sentences_and_citations(lectorium):
    answer = lectorium.ask(QUESTION, mode="instant")
    assert answer.is_answer
    assert "Iblis" in answer.answer
    assert answer.sentences[0].citations == (answer.citations[0].n,)
    assert "Iblis refused to bow" in answer.citations[0].quote
    assert lectorium.turn(answer.id)["response"]["answer"] == answer.answer
    refused = lectorium.ask(OUTSIDE, mode="instant", conversation=answer.conversation)
    assert (refused.is_answer, refused.conversation) == (False, answer.conversation)


def test_events_are_yielded_as_they_come(lectorium):
    events = list(lectorium.stream(QUESTION, mode="instant"))
    assert [event.id for event in events] == list(range(1, len(events) + 1))
    assert any("Iblis" in event.data["text"] for event in events if event.type == "sentence")
    assert "done" in [event.type for event in events]


def test_a_stream_whose_connection_breaks_goes_on_where_it_broke_and_asks_once(lectorium, site, monkeypatch):
    go_on = threading.Event()
    store = event_log.EventLog._keep
    sent = []

    async def keep(self, values):
        await store(self, values)
        sent.append(values["seq"])

    async def slow(turn, stream):
        await turn.status("plan", "thinking")
        while not go_on.is_set():  # noqa: ASYNC110 - it is set on another thread
            await asyncio.sleep(0.02)
        yield TurnResult().ended(Turn.Outcome.NO_RETRIEVAL, message="Good.")

    monkeypatch.setattr(event_log.EventLog, "_keep", keep)
    monkeypatch.setattr(turn, "answer_question", slow)
    events = lectorium.stream(QUESTION, mode="instant")
    first = next(events)
    site.drop_connections()
    threading.Timer(0.5, go_on.set).start()
    rest = list(events)
    assert [event.id for event in (first, *rest)] == sent
    assert "done" in [event.type for event in rest]
    assert Turn.objects.count() == 1


def test_lists_are_read_through_all_their_pages(lectorium):
    for _ in range(3):
        lectorium.ask("BG 2.47", mode="instant")
    assert len(list(lectorium.rows("conversations", limit=1))) == 3
    [lecture] = lectorium.rows("lectures")
    assert next(lectorium.rows("sections", f"lectures/{lecture['id']}/sections"))["start"] == 1.0
    assert "banyan" in lectorium.search("banyan tree", limit=1)[0]["text"]


def test_feedback_is_given_and_taken_back(lectorium):
    asked = lectorium.ask(QUESTION, mode="instant")
    lectorium.give_feedback(asked.id, "helpful")
    assert lectorium.turn(asked.id)["feedback"] == [{"kind": "helpful", "citation": 0, "claim": ""}]
    lectorium.take_back_feedback(asked.id)
    assert lectorium.turn(asked.id)["feedback"] == []


def test_a_refusal_of_the_site_says_what_and_where_and_is_not_tried_again(lectorium):
    with pytest.raises(LectoriumError, match="Type a question first") as refused:
        lectorium.ask(" ")
    assert (refused.value.status, refused.value.code, refused.value.where) == (400, "bad_request", "question")
    with pytest.raises(LectoriumError) as absent:
        lectorium.turn("00000000-0000-0000-0000-000000000007")
    assert absent.value.code == "not_found"


def test_a_busy_site_is_asked_again_after_a_while(lectorium, settings):
    settings.QUESTIONS_OF_A_READER = 1
    lectorium.ask(QUESTION, mode="instant")
    waits = []

    def pause(error, left):
        waits.append(error.retry_after)
        settings.QUESTIONS_OF_A_READER = 0

    lectorium._pause = pause
    assert lectorium.ask(QUESTION, mode="instant").is_answer
    assert waits[0] > 0
