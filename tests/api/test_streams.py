"""The events of a turn as a stream: those of the page, numbered, and stopped with the connection."""

import asyncio
import json

import pytest
from django.db import OperationalError

from chat.answering import turn
from chat.api import event_stream
from chat.api.domain.server_sent import KEEP_ALIVE
from chat.api.event_stream import event_chunks
from chat.live import running
from chat.models import Turn, TurnEvent
from tests.api.conftest import OUTSIDE, QUESTION
from tests.api.test_questions import called

pytestmark = pytest.mark.django_db(transaction=True)


def events_in(text):
    """The events of a stream as (id, type, data); comments are left out."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if line and not line.startswith(":"))
        if fields:
            found.append((int(fields.get("id", 0)), fields["event"], json.loads(fields["data"])))
    return found


async def read_stream(response):
    assert response["Content-Type"] == "text/event-stream"
    return events_in(b"".join([chunk async for chunk in response.streaming_content]).decode())


@pytest.mark.parametrize("question", [QUESTION, OUTSIDE])
async def test_a_stream_has_the_numbered_events_that_the_page_gets(alice, question):
    events = await read_stream(await alice.ask(question, stream=True))
    stored = [payload async for payload in TurnEvent.objects.order_by("seq").values_list("payload", flat=True)]
    assert [data for _, _, data in events] == stored
    assert [number for number, _, _ in events] == list(range(1, len(events) + 1))
    assert all(kind == data["type"] for _, kind, data in events)
    [done] = [data for _, kind, data in events if kind == "done"]
    assert done["outcome"] == (await Turn.objects.aget()).outcome


async def test_a_client_that_accepts_events_gets_a_stream_and_one_that_is_refused_gets_a_problem(alice):
    response = await alice.post("/api/v1/ask", {"question": QUESTION, "mode": "instant"}, Accept="text/event-stream")
    assert (await read_stream(response))[0][2]["conversation"]
    assert response["X-Accel-Buffering"] == "no"
    refused = await alice.post("/api/v1/ask", {"question": " "}, Accept="text/event-stream")
    assert (refused.status_code, refused["Content-Type"]) == (400, "application/problem+json")
    assert refused.json()["where"] == "question"


async def test_a_connection_that_closes_before_the_stream_begins_stops_the_turn(alice, monkeypatch):
    monkeypatch.setattr(event_stream, "BEGUN_WITHIN", 0.1)
    begun = asyncio.Event()

    async def take(turn, stream):
        begun.set()
        await asyncio.sleep(5)
        yield None

    monkeypatch.setattr(turn, "answer_question", take)
    task, _, gone = called("/api/v1/ask", {"question": QUESTION, "stream": True}, alice.secret)
    await begun.wait()
    gone.set()
    await asyncio.wait_for(asyncio.gather(task, return_exceptions=True), 10)
    await asyncio.gather(*(live.ended() for live in list(running._running)))
    assert (await Turn.objects.aget()).outcome == "interrupted"


async def test_a_quiet_stream_is_kept_open_with_comments():
    async def slow():
        yield {"type": "status", "seq": 1}
        await asyncio.sleep(0.2)
        yield {"type": "done", "seq": 2}

    chunks = [chunk async for chunk in event_chunks(slow(), quiet=0.05)]
    assert chunks[0].startswith(b"id: 1\nevent: status\ndata: {")
    assert KEEP_ALIVE in chunks[1:-1]
    assert chunks[-1].startswith(b"id: 2\nevent: done\n")


async def test_a_fault_within_a_stream_is_an_event_without_a_number():
    async def broken():
        yield {"type": "status", "seq": 1}
        raise OperationalError("secret host")

    *_, last = events_in("".join([chunk.decode() async for chunk in event_chunks(broken())]))
    number, kind, data = last
    assert (number, kind, data["code"], data["retryable"]) == (0, "error", "unavailable", True)
    assert "secret" not in data["message"]
