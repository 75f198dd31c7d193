"""Every event of the socket, as every role."""

import json
import re
import typing

from django.db import connections

from chat.live.protocol import parse_message
from lectorium.threads import in_thread
from tests.chat.sockets import socket, until_done
from tests.permissions import site as marked
from tests.permissions.asking import ABSENT
from tests.permissions.routes import objects_of
from tests.permissions.tables import rows
from tests.permissions.words import WordsRead

ASK = {"type": "ask", "question": marked.HIDDEN_QUESTION, "mode": "instant"}


def message_of(row, objects):
    """What is sent for a row of the table."""
    if row.method == "stop":
        return {"type": "stop"}
    kind, _, whose = row.thing.rpartition(" ")
    if row.method == "resume":
        return {"type": "resume", "turn": str(objects["turn_id"].get(row.thing, ABSENT)), "after": 0}
    if kind == "scope":
        return {**ASK, "scope": {"garden": "garden", "work": "work:orchard"}.get(whose, "absent")}
    return {**ASK, "conversation": str(objects["conversation_id"].get(row.thing, ABSENT))} if row.thing != "-" else ASK


async def outcome_of(reader, message):
    """How the turn ended, the code of an error, or "nothing"; and all that was sent."""
    await reader.send_json_to(message)
    if message["type"] == "stop":
        assert await reader.receive_nothing(timeout=0.05)
        return "nothing", ""
    events = await until_done(reader)
    last = events[-1]
    return last.get("code") or last["outcome"], json.dumps(events)


def test_every_event_of_the_protocol_is_in_the_table():
    messages = typing.get_args(typing.get_type_hints(parse_message)["return"])
    kinds = {re.sub("Message$", "", message.__name__).lower() for message in messages}
    assert kinds == {row.method for row in rows("events")}


async def test_each_role_gets_over_the_socket_what_the_table_says_and_no_hidden_word(site, record_property):
    objects, faults = await in_thread(objects_of, site), []
    for role, person in site.items():
        read = WordsRead(role)
        reader = socket(person.session, languages="de")
        await reader.connect()
        for row in rows("events"):
            outcome, text = await outcome_of(reader, message_of(row, objects))
            if outcome != row.statuses[role]:
                faults.append(f"{role}: {row.method} {row.thing}: {outcome}, not {row.statuses[role]}")
            read.read(text, "socket", f"{row.method} {row.thing}")
        await reader.disconnect()
        faults += [f"{role}: {fault}" for fault in read.faults("socket")]
    connections.close_all()
    record_property("cells", {"events": len(site) * len(list(rows("events")))})
    assert not faults, "\n".join(faults)
