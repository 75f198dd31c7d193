"""docs/seeding.md, followed once: from a list of questions to reviewed drafts, and to readers who are answered."""

import pytest

from chat.api.models import ToolCall
from curation.models import PinnedQuestion
from curation.tasks import index_entries
from lectorium.threads import in_thread
from tests.api.conftest import QUESTION
from tests.chat.mcp.conftest import assistant, token_of

pytestmark = pytest.mark.django_db(transaction=True)
QUESTIONS = (QUESTION, "Which angel stayed upright before the clay figure?", "Who invented the telephone?")
WORDINGS = {QUESTIONS[1]: ("Who did not kneel before the clay figure?", "Which angel stood while the others knelt?")}


async def seeded(client, question):
    """Follow the page's steps for one question; return what is reported of it."""
    asked = await client.call("ask", question=question, mode="instant")
    if asked["answered"]:
        return "answered already"
    found = await client.call("search", query=question, limit=3)
    for passage in (
        found["passages"] if question in WORDINGS else ()
    ):  # the assistant's judgement: the rest do not answer
        there = await client.call("resolve_address", address=passage["address"])
        if "Iblis" not in there["passages"][0]["text"]:
            continue
        pin = await client.call("draft_pin", question=question, references=[passage["address"]])
        for wording in WORDINGS[question]:
            await client.call("add_phrasing", pin=pin["id"], text=wording)
            preview = await client.call("preview_match", question=wording, entry=pin["id"])
            assert preview["entries"][0]["accepted"]
        return (await client.call("submit_for_review", entry=pin["id"]))["state"]
    return "gap"


async def test_an_assistant_seeds_drafts_that_a_reviewer_publishes(readers):
    async with assistant(await token_of(readers["bob"], "draft")) as bob:
        reported = [await seeded(bob, question) for question in QUESTIONS]
        assert reported == ["answered already", "in_review", "gap"]
        pin = await PinnedQuestion.objects.aget()
        assert "may not publish" in await bob.refused("publish", entry=str(pin.pk))
    async with assistant(await token_of(readers["carol"], "publish")) as carol:
        assert (await carol.call("publish", entry=str(pin.pk)))["state"] == "published"
    await in_thread(index_entries)  # the job that publishing queues
    async with assistant(await token_of(readers["alice"])) as alice:
        answer = await alice.call("ask", question=QUESTIONS[1], mode="instant")
    assert (answer["answered"], {cited["title"] for cited in answer["citations"]}) == (True, {"The First Steps"})
    tools = [call.tool async for call in ToolCall.objects.order_by("created_at")]
    assert tools.count("ask") == 4
    assert tools.count("add_phrasing") == 2
