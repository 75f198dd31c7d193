"""The same events as over the socket, as an HTTP stream."""

import asyncio
import json

import pytest
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from django.test import AsyncClient

from chat.live import running, stream
from chat.models import Turn
from lectorium.asgi import application
from tests.chat.live.test_consumer import QUESTION
from tests.chat.sockets import session_for, socket, until_done
from tests.chat.streams import client_of, opened

pytestmark = pytest.mark.django_db(transaction=True)


async def asked(client, message=QUESTION, **headers):
    return [event async for event in await opened(client, message, **headers)]


async def first(events):
    async with asyncio.timeout(20):
        return await anext(events)


@pytest.fixture
async def session(corpus):
    return await sync_to_async(session_for)()


@pytest.fixture
def client(session):
    return client_of(session)


async def test_a_question_is_answered_by_the_events_of_the_socket(client, session, settings):
    settings.ANSWER_CACHE = False
    streamed = await asked(client)
    tab = socket(session)
    await tab.connect()
    await tab.send_json_to(QUESTION)
    kinds = [event["type"] for event in await until_done(tab)]
    await tab.disconnect()
    assert [event["type"] for event in streamed][: len(kinds)] == kinds
    assert [event["seq"] for event in streamed] == list(range(1, len(streamed) + 1))
    assert await Turn.objects.acount() == 2


async def test_a_follow_up_stays_in_its_conversation(client):
    [begun] = {event["conversation"] for event in await asked(client) if event.get("conversation")}
    await asked(client, {**QUESTION, "question": "What does BG 2.47 say?", "conversation": begun})
    assert [str(turn.conversation_id) async for turn in Turn.objects.all()] == [begun, begun]


@pytest.mark.parametrize("garbage", ["{", "", "[]", '{"type": "ask"}', "\x00", '{"type": "stop", "turn": "x"}'])
async def test_garbage_is_told_in_one_sentence_and_the_stream_ends(client, garbage):
    [fault] = await asked(client, garbage)
    assert (fault["type"], fault["code"], fault["message"][-1]) == ("error", "bad_message", ".")


async def test_a_stream_that_is_cut_is_resumed_where_it_was_left(client, slow_retrieval):
    events = await opened(client, QUESTION)
    begun = await first(events)
    await slow_retrieval.begun.wait()
    await events.aclose()
    slow_retrieval.go_on.set()
    rest = await asked(client, {"type": "resume", "turn": begun["turn"], "after": begun["seq"]})
    assert [event["seq"] for event in rest] == list(range(2, len(rest) + 2))
    assert [event["outcome"] for event in rest if event["type"] == "done"] == ["grounded"]


async def test_a_browser_that_disconnects_leaves_its_turn_to_the_grace_period(session, slow_retrieval, settings):
    settings.TURN_GRACE = 0.3
    body = json.dumps(QUESTION).encode()
    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    token = "t" * 32
    headers += [(b"cookie", f"sessionid={session.session_key}; csrftoken={token}".encode())]
    headers += [(b"x-csrftoken", token.encode()), (b"content-length", b"%d" % len(body))]
    scope = {"type": "http", "method": "POST", "path": "/stream/", "query_string": b"", "headers": headers}
    browser = ApplicationCommunicator(application, scope)
    await browser.send_input({"type": "http.request", "body": body})
    assert (await browser.receive_output(20))["status"] == 200
    await slow_retrieval.begun.wait()
    await browser.send_input({"type": "http.disconnect"})
    (left,) = running._running
    assert left.is_running
    await asyncio.wait_for(left.ended(), 20)
    assert [outcome async for outcome in Turn.objects.values_list("outcome", flat=True)] == ["interrupted"]


async def test_a_turn_is_stopped_by_its_reader_and_by_no_other(client, slow_retrieval):
    events = await opened(client, QUESTION)
    turn = (await first(events))["turn"]
    await slow_retrieval.begun.wait()
    stranger = client_of(await sync_to_async(session_for)())
    assert await asked(stranger, {"type": "stop", "turn": turn}) == []
    assert (await Turn.objects.aget()).outcome == ""
    assert await asked(client, {"type": "stop", "turn": turn}) == []
    rest = [event async for event in events]
    assert rest[-1]["outcome"] == "interrupted"


async def test_another_readers_conversation_and_turn_are_as_good_as_absent(client, people):
    begun = (await asked(client))[0]
    alice = client_of(await sync_to_async(session_for)(people["alice"]))
    for message in (
        {**QUESTION, "conversation": begun["conversation"]},
        {"type": "resume", "turn": begun["turn"], "after": 0},
    ):
        [fault] = await asked(alice, message)
        assert fault["code"] == "not_found"


async def test_budgets_and_places_are_those_of_the_socket(client, session, slow_retrieval, settings):
    settings.TURNS_OF_A_READER = 1
    tab = socket(session)
    await tab.connect()
    await tab.send_json_to(QUESTION)
    await slow_retrieval.begun.wait()
    [fault] = await asked(client)
    assert (fault["code"], fault["retryable"]) == ("busy", True)
    await tab.send_json_to({"type": "stop"})
    await until_done(tab)
    await tab.disconnect()
    settings.QUESTIONS_OF_A_VISITOR = 1
    [fault] = await asked(client)
    assert "in an hour" in fault["message"]


async def test_signing_out_elsewhere_ends_the_stream_and_its_turn(corpus, people, slow_retrieval):
    session = await sync_to_async(session_for)(people["alice"])
    events = await opened(client_of(session), QUESTION)
    await first(events)
    await slow_retrieval.begun.wait()
    await client_of(session).post("/logout/")
    rest = [event async for event in events]
    assert rest[-1]["type"] == "signed_out"
    for left in list(running._running):
        await asyncio.wait_for(left.ended(), 20)
    assert [outcome async for outcome in Turn.objects.values_list("outcome", flat=True)] == ["interrupted"]


async def test_a_stream_without_news_is_kept_alive(client, slow_retrieval, monkeypatch):
    monkeypatch.setattr(stream, "BEAT", 0.05)
    response = await client.post("/stream/", json.dumps(QUESTION), content_type="application/json")
    lines = []
    async with asyncio.timeout(20):
        async for line in response.streaming_content:
            lines.append(line)
            if lines.count(b": waiting\n\n") == 2:
                slow_retrieval.go_on.set()
    assert lines[0] == b": open\n\n"
    assert b'"done"' in b"".join(lines)


async def test_events_come_in_the_language_of_the_interface(client):
    refused = {**QUESTION, "question": "Who discovered penicillin in London?"}
    events = await asked(client, refused, accept_language="de")
    assert "raten will ich nicht" in next(event["message"] for event in events if event["type"] == "refusal")


async def test_without_a_session_or_a_token_nothing_is_asked(corpus, session, settings):
    assert (await AsyncClient().get("/stream/")).status_code == 403
    assert (await AsyncClient().post("/stream/", QUESTION, content_type="application/json")).status_code == 403
    assert (await client_of(session).get("/stream/")).status_code == 204
    forged = client_of(session, enforce_csrf_checks=True)
    assert (await forged.post("/stream/", QUESTION, content_type="application/json")).status_code == 403
    settings.ANONYMOUS_CHAT = False
    assert (await client_of(session).get("/stream/")).status_code == 403
    assert not await Turn.objects.aexists()
