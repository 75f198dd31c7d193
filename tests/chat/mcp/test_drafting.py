"""Assistants draft what their editors may, and publish nothing that a reviewer and their token do not allow."""

import pytest

from chat.api.models import ToolCall
from curation.models import MemoryNote, PinnedQuestion
from lectorium.threads import in_thread
from tests.chat.mcp.conftest import assistant, permitted, token_of

pytestmark = pytest.mark.django_db(transaction=True)
PIN = {"question": "Who would not bow to Adam?", "references": ["first-steps:1"]}
NOTE = {"title": "Iblis", "body": "The one who refused.", "triggers": ["who refused to bow"]}


async def test_a_drafting_token_is_refused_publication_and_the_refusal_is_recorded(readers):
    await in_thread(permitted, readers["bob"], "curation", also=("publish_entries",))  # its owner might publish
    async with assistant(await token_of(readers["bob"], "draft")) as bob:
        pin = await bob.call("draft_pin", **PIN)
        await bob.call("submit_for_review", entry=pin["id"])
        said = await bob.refused("publish", entry=pin["id"])
    assert said.startswith("This token may not publish.")
    assert (await PinnedQuestion.objects.aget()).state == "in_review"
    call = await ToolCall.objects.aget(tool="publish")
    assert (call.user_id, call.outcome, call.message) == (readers["bob"].pk, "refused", said)
    assert call.arguments == {"entry": pin["id"]}


async def test_a_token_may_not_do_more_than_its_owner(readers):
    async with assistant(await token_of(readers["bob"], "publish")) as bob:  # an editor
        pin = await bob.call("draft_pin", **PIN)
        assert "Your account may not publish." in await bob.refused("publish", entry=pin["id"])
    async with assistant(await token_of(readers["alice"], "publish")) as alice:  # a reader
        assert "Your account may not draft." in await alice.refused("draft_pin", **PIN)
        assert "Your account may not draft." in await alice.refused("draft_note", **NOTE)
        for tool in ("submit_for_review", "publish"):
            assert "Your account may not" in await alice.refused(tool, entry=pin["id"])
        assert "Your account may not" in await alice.refused("add_phrasing", pin=pin["id"], text="Who?")
        assert "Your account may not" in await alice.refused("list_gaps")
        assert "Your account may not" in await alice.refused("translation_status")
        assert "Your account may not" in await alice.refused("preview_match", question="Who?")


async def test_a_reading_token_of_an_editor_drafts_nothing(readers):
    async with assistant(await token_of(readers["carol"], "read")) as carol:
        for tool, arguments in {
            "draft_pin": PIN, "draft_note": NOTE, "list_gaps": {}, "translation_status": {},
            "preview_match": {"question": "Who?"},
        }.items():  # fmt: skip
            assert (await carol.refused(tool, **arguments)).startswith("This token may not draft.")
    assert not await PinnedQuestion.objects.aexists()


async def test_a_reviewer_with_a_publishing_token_publishes(readers):
    async with assistant(await token_of(readers["bob"], "draft")) as bob:
        pin = await bob.call("draft_pin", **PIN, phrasings=["Which angel stayed standing?"], framing="On pride.")
        assert pin["wordings"] == ["Which angel stayed standing?"]
        more = await bob.call("add_phrasing", pin=pin["id"], text="Who stayed upright?")
        assert more["wordings"] == ["Which angel stayed standing?", "Who stayed upright?"]
        note = await bob.call("draft_note", **NOTE)
        triggered = await bob.call("add_trigger", note=note["id"], text="why did Iblis refuse")
        assert triggered["wordings"] == ["who refused to bow", "why did Iblis refuse"]
        assert triggered["warnings"] == []
        wide = await bob.call("add_trigger", note=note["id"], text="who is")
        assert "has only words that most questions have" in wide["warnings"][0]
        assert "A phrasing is empty" in await bob.refused("add_phrasing", pin=pin["id"], text=" ")
        assert "A trigger is empty" in await bob.refused("add_trigger", note=note["id"], text="?!")
        for entry in (pin, note):
            assert (await bob.call("submit_for_review", entry=entry["id"]))["state"] == "in_review"
    async with assistant(await token_of(readers["carol"], "publish")) as carol:
        for entry in (pin, note):
            assert (await carol.call("publish", entry=entry["id"]))["state"] == "published"
    assert (await MemoryNote.objects.aget()).state == "published"


async def test_what_readers_see_is_not_changed_by_a_drafting_token(readers):
    async with assistant(await token_of(readers["carol"], "publish")) as carol:
        pin = await carol.call("draft_pin", **PIN)
        await carol.call("publish", entry=pin["id"])
    async with assistant(await token_of(readers["carol"], "draft")) as carol:
        assert "may not publish" in await carol.refused("add_phrasing", pin=pin["id"], text="Who?")


async def test_a_reference_to_what_its_author_may_not_see_is_refused_like_one_to_nothing(readers):
    async with assistant(await token_of(readers["carol"])) as carol:
        found = await carol.call("search", query="silver compass gardener", limit=1)
    hidden = found["passages"][0]["address"]
    async with assistant(await token_of(readers["bob"], "draft")) as bob:
        said = await bob.refused("draft_pin", question="Where is it?", references=[hidden])
        nowhere = await bob.refused("draft_pin", question="Where is it?", references=["BG 99.99"])
        assert said.replace(hidden, "") == nowhere.replace("BG 99.99", "")
        assert "no such collection" in await bob.refused("draft_pin", **PIN, collection="garden")


NOBODYS = "00000000-0000-4000-8000-000000000000"
HOSTILE = [
    ("draft_pin", {**PIN, "question": "x" * 1_000_000}, "at most 20,000 are read"),
    ("draft_pin", {**PIN, "question": "Who\0?"}, "NUL character"),
    ("draft_pin", {**PIN, "question": " "}, "The question is empty"),
    ("draft_pin", {**PIN, "references": ["first-steps:1"] * 1000}, "1000 references"),
    ("draft_pin", {**PIN, "references": "first-steps:1"}, "“references”"),
    ("draft_pin", {**PIN, "references": ["x" * 300]}, "There is no passage"),
    ("draft_pin", {**PIN, "phrasings": [""]}, "A phrasing is empty"),
    ("draft_pin", {**PIN, "language": "en; DROP TABLE"}, "“language”"),
    ("draft_pin", {"question": "Who?"}, "“references”: Field required"),
    ("draft_note", {**NOTE, "triggers": ["\0"]}, "NUL character"),
    ("draft_note", {**NOTE, "title": "x" * 5000}, "title"),
    ("add_phrasing", {"pin": "not an id", "text": "x"}, "“pin”"),
    ("add_phrasing", {"pin": NOBODYS, "text": "x"}, "There is no pin or note with this id"),
    ("submit_for_review", {"entry": NOBODYS}, "There is no pin or note with this id"),
    ("publish", {"entry": NOBODYS}, "There is no pin or note with this id"),
    ("open_citation", {"turn": NOBODYS, "n": 1}, "nothing here"),
    ("open_citation", {"turn": NOBODYS, "n": 10**30}, "“n”"),
    ("ask", {"question": "x" * 2001}, "2,001 characters"),
    ("ask", {"question": "x", "mode": "loud"}, "“mode”"),
    ("ask", {"question": "x", "scope": "kind:song"}, "one of lecture, verse, library"),
    ("ask", {"question": "x", "conversation": NOBODYS}, "nothing here"),
    ("search", {"query": "x", "limit": 10**9}, "“limit”"),
    ("search", {"query": "x", "scope": "," * 5000}, "scope has 5000 characters"),
    ("resolve_address", {"address": "x" * 5000}, "There is no passage"),
    ("resolve_address", {"address": "'; DELETE FROM chat_turn; --"}, "There is no passage"),
    ("list_lectures", {"page": 0}, "“page”"),
    ("list_lectures", {"x" * 30_000: "y"}, ""),
    ("no_such_tool", {"x": "y"}, "no_such_tool"),
]


async def test_hostile_arguments_get_a_sentence_and_one_bounded_entry_each(readers):
    async with assistant(await token_of(readers["carol"], "publish")) as carol:
        for tool, arguments, said in HOSTILE:
            result = await carol.client.call_tool(tool, arguments)
            told = result.content[0].text
            assert said in told, (tool, told)
            assert "Traceback" not in told
            assert len(told) < 2000 or not result.is_error
    calls = [call async for call in ToolCall.objects.order_by("created_at")]
    assert [call.tool for call in calls] == [tool for tool, _, _ in HOSTILE]
    assert all(len(str(call.arguments)) < 6000 for call in calls)
    assert all(call.outcome == "refused" for call in calls if call.tool != "list_lectures")
    assert not await PinnedQuestion.objects.aexists()


async def test_a_fault_of_ours_is_told_without_its_words(readers, monkeypatch):
    monkeypatch.setattr("chat.mcp.reading.listing", lambda *arguments: 1 / 0)
    async with assistant(await token_of(readers["alice"])) as alice:
        said = await alice.refused("list_lectures")
    assert "Something went wrong on our side" in said
    assert (await ToolCall.objects.aget()).outcome == "failed"


def test_staff_read_the_calls_in_admin_and_change_none(readers, client):
    call = ToolCall.objects.create(
        user=readers["bob"], transport="http", tool="publish", arguments={"entry": "<b>x</b>"}, outcome="refused",
        message="This token may not publish.", milliseconds=3,
    )  # fmt: skip
    client.force_login(readers["carol"])
    assert "This token may not publish." in client.get("/admin/api/toolcall/").content.decode()
    page = client.get(f"/admin/api/toolcall/{call.pk}/change/").content.decode()
    assert "&lt;b&gt;x" in page
    assert client.post(f"/admin/api/toolcall/{call.pk}/change/", {"tool": "x"}).status_code == 403
    client.force_login(readers["bob"])
    assert client.get("/admin/api/toolcall/").status_code == 302
