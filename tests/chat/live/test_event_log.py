"""The numbering of a turn's events when the turn is stopped while an event is stored."""

import asyncio
import time

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chat.answering.domain.events import Done, Status
from chat.conversations import services
from chat.live.event_log import EventLog
from chat.models import Conversation, Turn, TurnEvent
from lectorium.threads import in_thread

pytestmark = pytest.mark.django_db(transaction=True)


def a_turn():
    return Turn.objects.create(conversation=Conversation.objects.create(), question="Who?")


@pytest.mark.parametrize("stops", [1, 2])
async def test_a_turn_that_is_stopped_while_an_event_is_stored_still_sends_its_end(monkeypatch, stops):
    store, sent = services.event_store, []

    def slow_store(**values):
        time.sleep(0.1)
        store(**values)

    async def send(values):
        sent.append((values["seq"], values["type"]))

    turn = await in_thread(a_turn)
    events = EventLog(turn, send, stop=lambda: None)
    monkeypatch.setattr(services, "event_store", slow_store)
    adding = asyncio.create_task(events.add(Status("plan", "reading your question")))
    for _ in range(stops):
        await asyncio.sleep(0.02)
        adding.cancel()
    await asyncio.gather(adding, return_exceptions=True)
    await events.add(Done(Turn.Outcome.INTERRUPTED, "", complete=False))
    assert sent == [(1, "status"), (2, "done")]
    assert [seq async for seq in TurnEvent.objects.order_by("seq").values_list("seq", flat=True)] == [1, 2]


@pytest.mark.parametrize(
    ("event", "waits"), [({"type": "status"}, False), ({"type": "suggestions", "items": []}, True)]
)
def test_only_what_is_kept_with_the_turn_waits_for_the_disk(event, waits):
    turn = a_turn()
    with CaptureQueriesContext(connection) as queries:
        services.event_store(conversation_id=turn.conversation_id, turn_id=turn.pk, seq=1, payload=event)
    assert any(query["sql"] == "SET LOCAL synchronous_commit = off" for query in queries) is not waits
