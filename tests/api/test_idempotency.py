"""Idempotency keys: one key and body, one turn."""

import asyncio
from datetime import timedelta

import pytest
from django.utils import timezone

from chat.answering import turn
from chat.answering.turn_result import TurnResult
from chat.api.idempotency import keys_expire
from chat.api.models import IdempotencyKey
from chat.live import running
from chat.models import Conversation, Turn
from tests.api.conftest import HIDDEN, QUESTION, later
from tests.api.test_questions import called
from tests.api.test_streams import read_stream

pytestmark = pytest.mark.django_db(transaction=True)

ASK = {"question": QUESTION, "mode": "instant"}
KEY = "2f1c-key"


async def ask_with(program, key=KEY, **more):
    return await program.post("/api/v1/ask", {**ASK, **more}, **{"Idempotency-Key": key})


async def test_the_same_key_and_body_give_the_same_turn(alice):
    first, again = await ask_with(alice), await ask_with(alice)
    assert again.json() == first.json()
    assert "Idempotency-Replayed" not in first
    assert again["Idempotency-Replayed"] == "true"
    assert await Turn.objects.acount() == 1
    assert (await ask_with(alice, key="another")).json()["id"] != first.json()["id"]


async def test_two_at_the_same_moment_are_one_turn(alice):
    answers = await asyncio.gather(*(ask_with(alice) for _ in range(3)))
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert await Turn.objects.acount() == 1


@pytest.fixture
def held(monkeypatch):
    """(begun, go_on) of turns that begin, and answer once they may go on."""
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def take(turn, stream):
        begun.set()
        await go_on.wait()
        yield TurnResult().ended(Turn.Outcome.NO_RETRIEVAL, message="Good.")

    monkeypatch.setattr(turn, "answer_question", take)
    return begun, go_on


async def test_one_that_comes_while_the_first_still_runs_waits_for_it(alice, held):
    begun, go_on = held
    first = asyncio.create_task(ask_with(alice))
    await begun.wait()
    again = asyncio.create_task(ask_with(alice))
    streamed = asyncio.create_task(ask_with(alice, stream=True))
    await asyncio.sleep(0.3)
    assert not again.done()
    go_on.set()
    assert (await again).json() == (await first).json()
    events = await read_stream(await streamed)
    assert [kind for _, kind, _ in events].count("done") == 1
    assert await Turn.objects.acount() == 1


async def test_a_client_that_lost_its_connection_finds_its_turn_again(alice, held):
    begun, go_on = held
    task, _, gone = called("/api/v1/ask", ASK, alice.secret, (b"idempotency-key", KEY.encode()))
    await begun.wait()
    gone.set()
    await asyncio.wait_for(asyncio.gather(task, return_exceptions=True), 10)
    assert (await Turn.objects.aget()).outcome == "", "it runs on for a while"
    again = asyncio.create_task(ask_with(alice))
    await asyncio.sleep(0.2)
    go_on.set()
    assert (await again).json()["outcome"] == "no_retrieval"
    assert await Turn.objects.acount() == 1


async def test_a_client_that_does_not_come_back_has_its_turn_stopped_and_is_told_so_later(alice, monkeypatch, settings):
    settings.TURN_GRACE = 0.1
    begun = asyncio.Event()

    async def take(turn, stream):
        begun.set()
        await asyncio.sleep(60)
        yield None

    monkeypatch.setattr(turn, "answer_question", take)
    task, _, gone = called("/api/v1/ask", ASK, alice.secret, (b"idempotency-key", KEY.encode()))
    await begun.wait()
    gone.set()
    await asyncio.wait_for(asyncio.gather(task, return_exceptions=True), 10)
    await asyncio.gather(*(live.ended() for live in list(running._running)))
    again = await ask_with(alice)
    assert (again.status_code, again.json()["code"]) == (503, "interrupted")
    assert "new key" in again.json()["detail"]
    assert await Turn.objects.acount() == 1


async def test_another_body_with_the_key_is_refused_and_how_it_is_sent_is_no_part_of_the_body(alice):
    await ask_with(alice)
    other = await ask_with(alice, question="BG 2.47")
    assert (other.status_code, other.json()["code"], other.json()["where"]) == (422, "key_reused", "Idempotency-Key")
    assert (await ask_with(alice, stream=True)).status_code == 200
    assert await Turn.objects.acount() == 1


async def test_keys_are_an_accounts_own_and_tell_neither_key_nor_question(alice, bob):
    assert (await ask_with(alice)).json()["id"] != (await ask_with(bob)).json()["id"]
    stored = str([row async for row in IdempotencyKey.objects.values()])
    assert KEY not in stored
    assert "bow" not in stored


async def test_a_key_lives_for_a_day(alice):
    first = (await ask_with(alice)).json()
    await IdempotencyKey.objects.aupdate(created_at=timezone.now() - timedelta(hours=25))
    second = (await ask_with(alice)).json()
    assert first["id"] != second["id"]
    await IdempotencyKey.objects.aupdate(created_at=timezone.now() - timedelta(hours=25))
    assert await later(keys_expire) == 1
    assert not await IdempotencyKey.objects.aexists()


@pytest.mark.parametrize("key", ["", "two words", "ä", "x" * 256])
async def test_what_is_no_key_is_told_with_what_to_send(alice, key):
    response = await ask_with(alice, key=key)
    assert (response.status_code, response.json()["where"]) == (400, "Idempotency-Key")
    assert "1 to 255" in response.json()["detail"]


async def test_an_answer_that_is_given_again_is_without_what_its_owner_may_no_longer_see(alice, people):
    first = await ask_with(alice, question=HIDDEN)
    assert "almond" in first.content.decode()
    await later(people["alice"].groups.clear)
    for more in ({}, {"stream": True}):
        again = await ask_with(alice, question=HIDDEN, **more)
        body = str(await read_stream(again)) if more else again.content.decode()
        assert "almond" not in body


async def test_a_deleted_turn_is_not_asked_again(alice):
    conversation = (await ask_with(alice)).json()["conversation"]
    assert (await alice.call("DELETE", f"/api/v1/conversations/{conversation}")).status_code == 204
    again = await ask_with(alice)
    assert (again.status_code, again.json()["where"]) == (404, "Idempotency-Key")
    assert not await Conversation.objects.aexists()


async def test_a_refused_question_leaves_its_key_free(alice):
    absent = "00000000-0000-0000-0000-000000000007"
    assert (await ask_with(alice, conversation=absent)).status_code == 404
    assert (await ask_with(alice)).status_code == 200
