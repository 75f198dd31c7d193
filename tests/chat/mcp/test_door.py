"""/mcp is entered with a token of the API only, from hosts of this site, and keeps nothing between requests."""

import asyncio
import json

import pytest

from chat.api.models import Token, ToolCall
from lectorium.asgi import application
from lectorium.threads import in_thread
from tests.api.conftest import HIDDEN, QUESTION
from tests.chat.mcp.conftest import URL, assistant, http_client, token_of

pytestmark = pytest.mark.django_db(transaction=True)
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
ACCEPT = {"Accept": "application/json, text/event-stream"}


async def sent(secret=None, method="POST", url=URL, body=LIST, **headers):
    async with http_client(secret, **ACCEPT, **headers) as http:
        return await http.request(
            method,
            url,
            content=body if isinstance(body, bytes) else json.dumps(body),
            headers={"Content-Type": "application/json"},
        )


async def test_no_one_enters_without_a_valid_token(readers):
    revoked, closed = await token_of(readers["alice"]), await token_of(readers["bob"])
    await Token.objects.filter(owner=readers["alice"]).aupdate(revoked_at="2026-01-01T00:00Z")
    readers["bob"].is_active = False
    await readers["bob"].asave()
    for secret in (None, "wrong", "\u00fc", revoked, closed):
        response = await sent(secret.encode() if secret and not secret.isascii() else secret)
        assert response.status_code == 401
        assert response.headers["WWW-Authenticate"].startswith("Bearer")
        assert set(response.json()["error"]) == {"code", "message"}
    assert not await ToolCall.objects.aexists()


async def test_an_address_without_a_valid_token_is_throttled(readers, settings):
    settings.API_PER_MINUTE = 2
    answers = [await sent(secret) for secret in (None, "wrong", "wrong")]
    assert [answer.status_code for answer in answers] == [401, 401, 429]
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 60
    assert (await sent(await token_of(readers["alice"]))).status_code == 200


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"Host": "evil.example"}, 400),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost:9"}, 403),
        ({"Origin": "http://localhost"}, 200),
        ({}, 200),
    ],
)
async def test_other_hosts_and_pages_are_turned_away(readers, asked, status):
    response = await sent(await token_of(readers["alice"]), **asked)
    assert response.status_code == status


async def test_a_token_is_not_read_from_an_open_line_where_https_is_set(readers, settings):
    settings.SECURE_SSL_REDIRECT = True
    assert (await sent(await token_of(readers["alice"]))).status_code == 403


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS"])
async def test_only_messages_are_taken(readers, method):
    response = await sent(await token_of(readers["alice"]), method)
    assert (response.status_code, response.headers["Allow"]) == (405, "POST")


@pytest.mark.parametrize(
    "body", [b"", b"{", b"\xff", b"[" * 100_000, b"[]", b'"x"', b'{"jsonrpc": "2.0", "id": 1, "method": "\\ud800"}']
)
async def test_what_is_no_message_is_an_error_of_the_protocol(readers, body):
    response = await sent(await token_of(readers["alice"]), body=body)
    assert response.status_code == 400
    assert "error" in response.json()


async def test_too_large_a_message_is_not_read(readers, settings):
    body = b"x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
    assert (await sent(await token_of(readers["alice"]), body=body)).status_code == 413


async def test_a_session_id_of_somebody_opens_nothing(readers):
    async with assistant(await token_of(readers["alice"]), "legacy") as alice:
        await alice.call("ask", question=HIDDEN, mode="instant")
    response = await sent(await token_of(readers["bob"]), **{"Mcp-Session-Id": "0" * 32})
    assert "Mcp-Session-Id" not in response.headers
    assert "almond" not in response.text


async def test_two_tokens_at_once_are_never_mixed_up(readers, settings):
    settings.TURNS_OF_A_READER = 8
    async with assistant(await token_of(readers["alice"])) as alice, assistant(await token_of(readers["bob"])) as bob:
        calls = [person.call("search", query="silver compass gardener") for person in (alice, bob) * 4]
        found = await asyncio.gather(*calls)
    assert ["almond" in str(passages) for passages in found] == [True, False] * 4
    users = [call.user_id async for call in ToolCall.objects.all()]
    assert sorted(users) == sorted([readers["alice"].pk, readers["bob"].pk] * 4)


async def test_calls_count_with_the_requests_of_the_api(readers, settings):
    settings.API_PER_MINUTE = 2
    async with assistant(await token_of(readers["alice"])) as alice:
        await alice.call("list_lectures")
        await alice.call("list_lectures")
        assert "Too many requests in a minute" in await alice.refused("list_lectures")
    async with http_client(await token_of(readers["alice"])) as http:
        assert (await http.get("http://localhost/api/v1/conversations")).status_code == 429


async def test_a_token_that_is_revoked_between_two_calls_ends_there(readers):
    async with assistant(await token_of(readers["alice"]), "legacy") as alice:
        await alice.call("list_lectures")
        await Token.objects.aupdate(revoked_at="2026-01-01T00:00Z")
        with pytest.raises(Exception, match="error"):
            await alice.call("list_lectures")


async def test_a_client_that_leaves_stops_its_question(readers, monkeypatch):
    begun, stopped = asyncio.Event(), asyncio.Event()

    async def wait(*arguments, **options):
        begun.set()
        try:
            await asyncio.sleep(60)
        finally:
            stopped.set()

    monkeypatch.setattr("chat.mcp.reading.look_up", wait)
    secret = await token_of(readers["alice"])
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "search", "arguments": {"query": QUESTION}},
    }
    body, gone = json.dumps(call).encode(), asyncio.Event()
    messages = iter([{"type": "http.request", "body": body}])

    async def receive():
        if message := next(messages, None):
            return message
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message):
        pass

    headers = [(b"host", b"localhost"), (b"content-type", b"application/json"), (b"accept", ACCEPT["Accept"].encode())]
    headers += [(b"authorization", f"Bearer {secret}".encode())]
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/mcp",
        "raw_path": b"/mcp",
        "query_string": b"",
        "scheme": "http",
    }
    running = asyncio.create_task(application({**scope, "headers": headers, "client": ["1.2.3.4", 1]}, receive, send))
    await asyncio.wait_for(begun.wait(), 30)
    gone.set()
    await asyncio.wait_for(running, 30)
    assert stopped.is_set()
    assert (await in_thread(ToolCall.objects.get)).outcome == "stopped"
