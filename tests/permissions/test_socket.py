"""Every event of the socket's protocol, as every role, over the socket and over the HTTP stream."""

import json
import re
import typing
from contextlib import asynccontextmanager

import pytest
from django.db import connections

from chat.live.protocol import parse_message
from lectorium.threads import in_thread
from tests.chat.sockets import socket, until_done
from tests.chat.streams import client_of, opened
from tests.permissions import site as marked
from tests.permissions.asking import ABSENT
from tests.permissions.routes import objects_of
from tests.permissions.tables import rows
from tests.permissions.words import WordsRead

STOP = {"type": "stop"}
ASK = {"type": "ask", "question": marked.HIDDEN_QUESTION, "mode": "instant"}


def message_of(row, objects):
    """What is sent for a row of the table."""
    if row.method == "stop":
        return {"type": "stop", "turn": str(objects["turn_id"].get(row.thing, ABSENT))} if row.thing != "-" else STOP
    kind, _, whose = row.thing.rpartition(" ")
    if row.method == "resume":
        return {"type": "resume", "turn": str(objects["turn_id"].get(row.thing, ABSENT)), "after": 0}
    if kind == "scope":
        return {**ASK, "scope": {"garden": "garden", "work": "work:orchard"}.get(whose, "absent")}
    return {**ASK, "conversation": str(objects["conversation_id"].get(row.thing, ABSENT))} if row.thing != "-" else ASK


@asynccontextmanager
async def over_socket(person):
    """A function that sends a message and returns the events that come of it."""
    reader = socket(person.session, languages="de")
    await reader.connect()

    async def send(message):
        await reader.send_json_to(message)
        if message["type"] != "stop":
            return await until_done(reader)
        assert await reader.receive_nothing(timeout=0.05)
        return []

    yield send
    await reader.disconnect()


@asynccontextmanager
async def over_stream(person):
    async def send(message):
        events = await opened(client_of(person.session), message, accept_language="de")
        return [event async for event in events]

    yield send


def outcome_of(events):
    """How the turn ended, the code of an error, or "nothing"."""
    last = next((event for event in events if event["type"] in {"done", "error"}), {})
    return last.get("code") or last.get("outcome") or "nothing"


def test_every_event_of_the_protocol_is_in_the_table():
    messages = typing.get_args(typing.get_type_hints(parse_message)["return"])
    kinds = {re.sub("Message$", "", message.__name__).lower() for message in messages}
    assert kinds == {row.method for row in rows("events")}


@pytest.mark.parametrize("line", [over_socket, over_stream])
async def test_each_role_gets_what_the_table_says_and_no_hidden_word(site, line, record_property):
    objects, faults = await in_thread(objects_of, site), []
    for role, person in site.items():
        read = WordsRead(role)
        async with line(person) as send:
            for row in rows("events"):
                events = await send(message_of(row, objects))
                outcome = outcome_of(events)
                if outcome != row.statuses[role]:
                    faults.append(f"{role}: {row.method} {row.thing}: {outcome}, not {row.statuses[role]}")
                read.read(json.dumps(events), "socket", f"{row.method} {row.thing}")
        faults += [f"{role}: {fault}" for fault in read.faults("socket")]
    connections.close_all()
    record_property("cells", {"events": len(site) * len(list(rows("events")))})
    assert not faults, "\n".join(faults)
