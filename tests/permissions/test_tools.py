"""Every tool for assistants, as every role with a token that may publish; and with one that only reads."""

import json

from asgiref.sync import sync_to_async
from django.db import connections

from chat.mcp.server import tool_server
from lectorium.threads import in_thread
from tests.chat.mcp.conftest import assistant, http_client
from tests.factories import a_note, a_pin
from tests.permissions import site as marked
from tests.permissions.asking import ABSENT, SOUGHT
from tests.permissions.routes import objects_of
from tests.permissions.tables import rows
from tests.permissions.words import WordsRead

READING = {"ask", "search", "open_citation", "resolve_address", "list_lectures"}


def drafts_of(role):
    """A draft of each kind for the role to change, and a published one."""
    name = role.replace(" ", "-")
    return {
        "draft pin": a_pin(f"How old is a {name}?", ["first-steps:1"], state="draft").pk,
        "published pin": a_pin(f"How tall is a {name}?", ["first-steps:1"]).pk,
        "draft note": a_note(f"A {name}", ["first-steps:1"], state="draft", triggers=[name]).pk,
    }


def arguments_of(row, objects):
    """What a tool is called with for a row of the table."""
    tool, thing = row.method, row.thing
    entry = objects["entries"].get(thing, objects["object_id"].get(thing, ABSENT))
    thread = {} if thing == "-" else {"conversation": objects["conversation_id"].get(thing, ABSENT)}
    question = {"question": marked.HIDDEN_QUESTION, "mode": "instant"}
    hidden = f"{marked.GARDEN}:1"
    pin = {"question": f"What is a tree, {objects['role']} {thing}?", "references": ["first-steps:3"]}
    known = {
        "ask": question | thread,
        "search": {"query": SOUGHT},
        "open_citation": {"turn": objects["turn_id"].get(thing, ABSENT), "n": 1},
        "resolve_address": {"address": {"group's": hidden, "open": "first-steps:1"}.get(thing, "absent:1")},
        "preview_match": {"question": marked.PINNED_QUESTION} | ({"entry": entry} if thing != "-" else {}),
        "draft_pin": pin | {"references of the group": {"references": [hidden]},
                            "group's": {"collection": "garden"}, "absent": {"collection": "absent"}}.get(thing, {}),
        "draft_note": {"title": f"A tree, {objects['role']}", "body": "It is old.", "triggers": ["tree"]},
        "add_phrasing": {"pin": entry, "text": f"What age is it, {objects['role']}?"},
        "add_trigger": {"note": entry, "text": "orchard"},
        "submit_for_review": {"entry": entry},
        "publish": {"entry": entry},
    }  # fmt: skip
    return {name: str(value) if hasattr(value, "hex") else value for name, value in known.get(tool, {}).items()}


async def called(caller, row, objects):
    """ "done" or "refused", and the text of the answer."""
    result = await caller.client.call_tool(row.method, arguments_of(row, objects))
    text = json.dumps(result.structured_content) + "".join(part.text for part in result.content)
    return "refused" if result.is_error else "done", text


async def test_every_tool_is_in_the_table():
    assert {tool.name for tool in await tool_server().list_tools()} == {row.method for row in rows("tools")}


async def test_each_role_gets_from_the_tools_what_the_table_says_and_no_hidden_word(site, record_property):
    objects, faults = await in_thread(objects_of, site), []
    async with http_client() as nobody:
        assert (await nobody.post("http://localhost/mcp")).status_code == 401
    for role in marked.ROLES[1:]:
        read = WordsRead(role)
        objects |= {"role": role, "entries": await in_thread(drafts_of, role)}
        async with assistant(site[role].tokens["publish"], **{"Accept-Language": "de"}) as caller:
            for row in rows("tools"):
                outcome, text = await called(caller, row, objects)
                if outcome != row.statuses[role]:
                    faults.append(f"{role}: {row.method} {row.thing}: {outcome}, not {row.statuses[role]}: {text[:90]}")
                read.read(text, "tools", f"{row.method} {row.thing}", arguments_of(row, objects))
        faults += [f"{role}: {fault}" for fault in read.faults("tools")]
    await sync_to_async(connections.close_all)()
    record_property("cells", {"tools": (len(site) - 1) * len(list(rows("tools")))})
    assert not faults, "\n".join(faults)


async def test_a_token_that_only_reads_opens_no_other_tool_even_for_a_superuser(site):
    objects = await in_thread(objects_of, site)
    objects |= {"role": "superuser", "entries": {}}
    async with assistant(site["superuser"].tokens["read"]) as caller:
        for row in rows("tools"):
            if row.method not in READING:
                assert (await called(caller, row, objects))[0] == "refused", row.method
    await sync_to_async(connections.close_all)()
