import asyncio
import json

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError

from audit.models import TurnAudit
from chat.answering import turn
from chat.answering.turn_result import TurnResult
from chat.api.services import token_create
from chat.live.admission import OWN, admission_control
from chat.models import Conversation, Turn
from lectorium.asgi import application
from tests.api.conftest import HIDDEN, OUTSIDE, QUESTION, ApiProgram, later

pytestmark = pytest.mark.django_db(transaction=True)


def called(path, body, secret, *more_headers):
    """Return a request as the web server hands it on, what to answer it with, and how to hang up."""
    sent, gone = asyncio.Queue(), asyncio.Event()
    data = json.dumps(body).encode()
    messages = iter([{"type": "http.request", "body": data, "more_body": False}])

    async def receive():
        if message := next(messages, None):
            return message
        await gone.wait()
        return {"type": "http.disconnect"}

    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    headers += [(b"authorization", f"Bearer {secret}".encode()), (b"content-length", b"%d" % len(data)), *more_headers]
    place = {"path": path, "raw_path": path.encode(), "query_string": b"", "scheme": "http", "http_version": "1.1"}
    scope = {"type": "http", "method": "POST", "headers": headers, "client": ["1.2.3.4", 1], **place}
    return asyncio.create_task(application(scope, receive, sent.put)), sent, gone


async def test_an_answer_comes_in_the_one_schema_and_is_recorded_as_its_owners(alice, people):
    said = (await alice.ask()).json()
    assert (said["outcome"], said["question"], said["mode"]) == ("grounded", QUESTION, "instant")
    assert said["answer"].endswith("[1]")
    assert said["citations"][0]["address"] == "first-steps:1"
    stored = await Turn.objects.select_related("conversation").aget()
    assert {**stored.response, "conversation": str(stored.conversation_id)} == said
    assert (stored.conversation.owner_id, stored.outcome) == (people["alice"].pk, "grounded")
    assert await TurnAudit.objects.filter(turn_id=said["id"]).acount() == 1


async def test_a_refusal_is_an_answer_too(alice):
    response = await alice.ask(OUTSIDE)
    said = response.json()
    assert (response.status_code, said["outcome"], said["citations"]) == (200, "refused", [])
    assert said["answer"] == said["message"]


async def test_a_conversation_is_asked_on_in_and_remembers(alice):
    first = (await alice.ask("BG 2.47")).json()
    again = (await alice.ask("And 2.48?", conversation=first["conversation"])).json()
    assert again["conversation"] == first["conversation"]
    assert await Turn.objects.filter(conversation_id=first["conversation"]).acount() == 2


async def test_what_was_said_before_may_come_with_the_question(alice, monkeypatch):
    heard = []

    async def take(turn, stream):
        heard.append(turn.question.history)
        yield TurnResult().ended(Turn.Outcome.NO_RETRIEVAL, message="Good.")

    monkeypatch.setattr(turn, "answer_question", take)
    said = [{"role": "user", "content": f"What is {n}?\0"} for n in range(9)]
    assert (await alice.ask(history=said)).status_code == 200
    assert [message.content for message in heard[0]] == [f"What is {n}?" for n in range(3, 9)]


CANNOT_BE_ASKED = [
    ({"question": " "}, "Type a question first."),
    ({"question": "\0"}, "not readable"),
    ({"question": "x" * 2001}, "2,001 characters; please keep it to 2,000, about one thing."),
    ({"question": "x", "mode": "loud"}, "instant, auto, thinking"),
    ({"question": "x", "scope": "kind:song"}, "one of lecture, verse, library"),
    ({"question": "x", "conversation": "1"}, "not a known id"),
    ({"question": "x", "history": "before"}, "must be a list"),
    ({"question": "x", "history": [{"role": "system", "content": "x"}]}, "must be a list"),
    ({"question": "x", "history": [{"role": "user", "content": "\ud800"}]}, "must be a list"),
    ([], "must be a JSON object"),
    ("[" * 100_000, "not JSON"),
    ("{", "not JSON"),
    ('{"question": NaN}', "not JSON"),
    (b"\xff\xfe", "not JSON"),
]


async def test_what_cannot_be_asked_is_told_in_one_sentence(alice):
    for body, said in CANNOT_BE_ASKED:
        response = await alice.post("/api/v1/ask", body)
        assert response.status_code == 400, body
        assert set(response.json()["error"]) == {"code", "message"}
        assert said in response.json()["error"]["message"]
    assert not await Turn.objects.aexists()


async def test_other_kinds_of_bodies_and_methods_are_named(alice):
    form = await alice.post("/api/v1/ask", "question=x", Content_Type="application/x-www-form-urlencoded")
    assert (form.status_code, form.json()["error"]["code"]) == (415, "unsupported_media_type")
    for method in ("GET", "PUT", "OPTIONS", "TRACE"):
        response = await alice.call(method, "/api/v1/ask")
        assert (response.status_code, response.json()["error"]["code"]) == (405, "method_not_allowed")


async def test_an_address_that_is_not_there_is_answered_as_an_error_of_the_api(alice):
    for path in ("/api/v1/nothing", "/api/", "/v1/embeddings", "/api/v1/conversations/x"):
        response = await alice.get(path)
        assert (response.status_code, response.json()["error"]["code"]) == (404, "not_found")


async def test_one_question_too_many_is_told_when_to_come_back(alice, monkeypatch, settings):
    settings.TURNS_OF_A_READER = 1
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def wait(turn, stream):
        begun.set()
        await go_on.wait()
        yield TurnResult().ended(Turn.Outcome.NO_RETRIEVAL, message="Good.")

    monkeypatch.setattr(turn, "answer_question", wait)
    first, _, _ = called("/api/v1/ask", {"question": QUESTION}, alice.secret)
    await asyncio.wait_for(begun.wait(), 20)
    second, sent, _ = called("/api/v1/ask", {"question": QUESTION}, alice.secret)
    await asyncio.wait_for(second, 20)
    go_on.set()
    await asyncio.wait_for(first, 20)
    start, body = sent.get_nowait(), sent.get_nowait()
    assert (start["status"], dict(start["headers"])[b"Retry-After"]) == (429, b"5")
    assert json.loads(body["body"])["error"] == {"code": "busy", "message": OWN}
    assert (await alice.ask()).status_code == 200


async def test_a_turn_that_fails_is_an_error_and_is_recorded(alice, monkeypatch):
    async def broken(turn, stream):
        yield TurnResult()
        raise RuntimeError

    monkeypatch.setattr(turn, "answer_question", broken)
    response = await alice.ask()
    assert (response.status_code, response.json()["error"]["code"]) == (503, "failed")
    assert (await Turn.objects.aget()).outcome == "failed"


async def test_a_database_that_is_away_is_told_as_such(alice, monkeypatch):
    def gone(*args, **kwargs):
        raise OperationalError

    monkeypatch.setattr("chat.conversations.services.turn_start", gone)
    response = await alice.ask()
    assert (response.status_code, response.json()["error"]["code"]) == (503, "unavailable")


@pytest.mark.parametrize("stream", [None, "events", False, True])
async def test_whoever_hangs_up_stops_the_turn_and_it_is_recorded_as_stopped(alice, monkeypatch, stream):
    begun = asyncio.Event()

    async def endless(turn, stream):
        begun.set()
        yield TurnResult()
        await asyncio.sleep(3600)

    monkeypatch.setattr(turn, "answer_question", endless)
    if stream in (None, "events"):
        path, body = "/api/v1/ask", {"question": QUESTION, "stream": stream == "events"}
    else:
        messages = [{"role": "user", "content": QUESTION}]
        path, body = "/v1/chat/completions", {"model": "lectorium-auto", "messages": messages, "stream": stream}
    serving, sent, gone = called(path, body, alice.secret)
    await asyncio.wait_for(begun.wait(), 20)
    while stream and (await asyncio.wait_for(sent.get(), 20))["type"] != "http.response.body":
        """Wait for the first of what is streamed."""
    gone.set()
    async with asyncio.timeout(1):  # so long the place of a stream that was cancelled may be held
        while admission_control()._admitted or admission_control()._line:  # noqa: ASYNC110 - nothing tells it
            await asyncio.sleep(0.01)
    await asyncio.wait_for(serving, 20)
    for _ in range(200):
        if (stopped := await Turn.objects.aget()).outcome:
            break
        await asyncio.sleep(0.02)
    assert stopped.outcome == "interrupted"


async def test_a_narrower_question_is_asked_of_what_it_names(alice):
    assert (await alice.ask(HIDDEN, scope="garden")).json()["outcome"] == "grounded"
    assert (await alice.ask(HIDDEN, scope="kind:verse")).json()["outcome"] == "refused"


async def test_a_search_finds_passages_with_their_places_and_records_nothing(alice):
    response = await alice.get("/api/v1/search?q=banyan+tree&limit=2")
    first, *rest = response.json()["results"]
    assert "banyan" in first["text"]
    assert first["url"].startswith("/lectures/")
    assert len(rest) <= 1
    assert not await Conversation.objects.aexists()


async def test_a_search_takes_a_place_among_the_questions(alice, settings):
    settings.TURNS_OF_A_READER = 1
    reader = f"account {(await later(User.objects.get, username='alice')).pk}"
    with admission_control().admitted(reader=reader, address=""):
        response = await alice.get("/api/v1/search?q=banyan+tree")
    assert (response.status_code, response.json()["error"]) == (429, {"code": "busy", "message": OWN})
    assert response.headers["Retry-After"] == "5"
    assert (await alice.get("/api/v1/search?q=banyan+tree")).status_code == 200


async def test_a_search_that_cannot_be_made_is_told_in_one_sentence(alice):
    for query in ("", "q=", *(f"q=x&{more}" for more in ("limit=0", "limit=51", "limit=٣", "scope=a:b"))):
        response = await alice.get(f"/api/v1/search?{query}")
        assert (response.status_code, response.json()["error"]["code"]) == (400, "bad_request"), query


async def test_an_account_is_heard_so_often_in_a_minute_with_however_many_tokens(alice, bob, people, settings):
    settings.API_PER_MINUTE = 2
    _, secret = await later(token_create, owner=people["alice"], name="another")
    answers = [await program.get("/v1/models") for program in (alice, ApiProgram(secret), alice)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 60
    assert answers[-1].json()["error"]["code"] == "throttled"
    assert (await bob.get("/v1/models")).status_code == 200


async def test_a_cache_that_is_away_lets_requests_pass(alice, monkeypatch):
    def gone(*args, **kwargs):
        raise ConnectionError

    monkeypatch.setattr("django.core.cache.backends.locmem.LocMemCache.get", gone)
    assert (await alice.get("/v1/models")).status_code == 200
