"""What an assistant reads: what its token's owner may see, in small typed results."""

import pytest

from chat.api.models import ToolCall
from chat.models import Conversation, Turn
from curation.models import Translation
from curation.translations.services import translation_store, translations_sync
from lectorium.threads import in_thread
from tests.api.conftest import HIDDEN, OUTSIDE, QUESTION
from tests.chat.mcp.conftest import assistant, token_of

pytestmark = pytest.mark.django_db(transaction=True)
TOOLS = {
    "ask", "search", "open_citation", "resolve_address", "list_lectures", "draft_pin", "draft_note", "add_phrasing",
    "add_trigger", "preview_match", "list_gaps", "translation_status", "submit_for_review", "publish",
}  # fmt: skip


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_every_tool_is_described_and_typed(readers, mode):
    async with assistant(await token_of(readers["alice"]), mode) as alice:
        tools = {tool.name: tool for tool in (await alice.client.list_tools()).tools}
    assert set(tools) == TOOLS
    for tool in tools.values():
        assert tool.description
        assert tool.output_schema["properties"]
        assert all(
            "type" in field or "anyOf" in field or "$ref" in field for field in tool.input_schema["properties"].values()
        )
    assert tools["search"].annotations.read_only_hint


async def test_an_answer_is_cited_recorded_and_can_be_opened(readers):
    async with assistant(await token_of(readers["alice"])) as alice:
        answer = await alice.call("ask", question=QUESTION, mode="instant")
        assert (answer["answered"], answer["outcome"]) == (True, "grounded")
        assert answer["citations"][0]["address"] == "first-steps:1"
        opened = await alice.call("open_citation", turn=answer["turn"], n=1)
        assert opened == answer["citations"][0]
        on = await alice.call("ask", question="BG 2.47", mode="instant", conversation=answer["conversation"])
    assert on["conversation"] == answer["conversation"]
    assert await Turn.objects.acount() == 2
    assert (await Conversation.objects.aget()).owner_id == readers["alice"].pk


async def test_a_refusal_says_that_it_is_none(readers):
    async with assistant(await token_of(readers["alice"])) as alice:
        refusal = await alice.call("ask", question=OUTSIDE, mode="instant")
    assert (refusal["answered"], refusal["outcome"], refusal["citations"]) == (False, "refused", [])
    assert refusal["answer"]


async def test_passages_are_found_resolved_and_listed(readers):
    async with assistant(await token_of(readers["bob"])) as bob:
        found = await bob.call("search", query="banyan tree", limit=1)
        address = found["passages"][0]["address"]
        there = await bob.call("resolve_address", address=address)
        listed = await bob.call("list_lectures", title="first")
        none = await bob.call("list_lectures", title="garden")
    assert "banyan" in there["passages"][0]["text"]
    assert there["passages"][0]["paragraphs"] == ["first-steps:1", "first-steps:2"]
    assert [(lecture["title"], lecture["address"]) for lecture in listed["lectures"]] == [
        ("The First Steps", "first-steps")
    ]
    assert (none["lectures"], none["pages"]) == ([], 1)


async def test_what_is_hidden_or_somebody_elses_looks_absent(readers):
    async with assistant(await token_of(readers["alice"])) as alice:
        hers = await alice.call("ask", question=HIDDEN, mode="instant")
        assert "almond" in hers["answer"]
        hidden = hers["citations"][0]["address"]
    for other in ("bob", "carol"):  # Carol sees every collection, and owns none of this
        async with assistant(await token_of(readers[other])) as theirs:
            assert "nothing here" in await theirs.refused("open_citation", turn=hers["turn"], n=1)
            assert "nothing here" in await theirs.refused("ask", question="Why?", conversation=hers["conversation"])
    async with assistant(await token_of(readers["bob"])) as bob:
        assert "There is no passage" in await bob.refused("resolve_address", address=hidden)
        found = await bob.call("search", query="silver compass gardener")
        assert "almond" not in str(found)


async def test_readers_questions_are_counted_and_not_kept_in_the_audit(readers):
    async with assistant(await token_of(readers["alice"])) as alice:
        await alice.call("ask", question=HIDDEN, mode="instant", scope="garden")
        await alice.call("search", query="silver compass")
    asked, searched = [call async for call in ToolCall.objects.order_by("created_at")]
    assert asked.arguments == {"question": f"{len(HIDDEN)} characters", "mode": "instant", "scope": "garden"}
    assert searched.arguments == {"query": "14 characters"}
    assert (asked.user_id, asked.tool, asked.outcome, asked.transport) == (readers["alice"].pk, "ask", "done", "http")
    assert asked.token_id
    assert asked.milliseconds > 0


async def test_titles_come_in_the_language_that_the_assistant_asks_for(readers, settings):
    settings.LOCALES = ["de"]
    await in_thread(translate, "The First Steps", "Die ersten Schritte")
    async with assistant(await token_of(readers["bob"]), **{"Accept-Language": "de"}) as bob:
        answer = await bob.call("ask", question=QUESTION, mode="instant")
        opened = await bob.call("open_citation", turn=answer["turn"], n=1)
        found = await bob.call("search", query="banyan tree", limit=1)
        there = await bob.call("resolve_address", address="first-steps:1")
        listed = await bob.call("list_lectures", title="first")
    titled = [answer["citations"][0], opened, found["passages"][0], there["passages"][0], listed["lectures"][0]]
    assert {place["title"] for place in titled} == {"The First Steps"}
    assert [place["translated_title"] for place in titled] == 5 * [
        {"text": "Die ersten Schritte", "language": "de", "origin": "machine"}
    ]


def translate(title, text):
    translations_sync(locales=["de"])
    for row in Translation.objects.filter(part="lecture_title", source=title):
        translation_store(row=row, text=text, author="test")
        Translation.objects.filter(pk=row.pk).update(checks=[])  # it takes “Steps” for a name
