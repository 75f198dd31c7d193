"""An assistant works with the running product: over HTTP as from elsewhere, and over stdio as on the server."""

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import httpx2
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from .conftest import ROOT, as_an_operator

QUESTION = "Which drum did Arjuna's horses hear?"
PIN = {"question": QUESTION, "references": ["BG 2.47"], "phrasings": ["What drum was it that the horses heard?"]}


@pytest.fixture(scope="module")
def secret(fill, tmp_path_factory):
    """A token of the demo editor that may draft."""
    script = tmp_path_factory.mktemp("token") / "token.py"
    script.write_text(
        "from django.core.management import call_command\n"
        "call_command('api_token', *'create --user editor --name seeding --access draft'.split())\n"
    )
    return fill(str(script))


@asynccontextmanager
async def over_http(site, secret):
    headers = {"Authorization": f"Bearer {secret}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=120) as http,
        Client(streamable_http_client(f"{site}/mcp", http_client=http)) as client,
    ):
        yield client


@asynccontextmanager
async def over_stdio(state, secret, *arguments):
    environment = as_an_operator(state) | {"LECTORIUM_MCP_TOKEN": secret}
    server = StdioServerParameters(
        command=sys.executable, args=["manage.py", "mcp", *arguments], cwd=str(ROOT), env=environment
    )
    async with Client(stdio_client(server)) as client:
        yield client


async def call(client, tool, **arguments):
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content[0].text
    return result.structured_content


async def session(client):
    """Ask a question, read its sources, and go on to what a draft may do; return the refusal to publish it."""
    assert len((await client.list_tools()).tools) == 14
    answer = await call(client, "ask", question="BG 2.47", mode="instant")
    assert (answer["answered"], answer["citations"][0]["address"]) == (True, "BG 2.47")
    assert (await call(client, "open_citation", turn=answer["turn"], n=1))["quote"] == answer["citations"][0]["quote"]
    assert (await call(client, "search", query="the field of dharma", limit=2))["passages"]
    return await draft(client)


async def draft(client):
    """Draft a pin, send it to review, and return the refusal to publish it. This loads no model."""
    assert (await call(client, "resolve_address", address="BG 2.47"))["passages"]
    pin = await call(client, "draft_pin", **PIN)
    assert (await call(client, "submit_for_review", entry=pin["id"]))["state"] == "in_review"
    refused = await client.call_tool("publish", {"entry": pin["id"]})
    assert refused.is_error
    return refused.content[0].text


def run(meeting, steps=session):
    """Run a client on a thread of its own: Playwright keeps a loop open on this one."""

    async def whole():
        async with meeting as client:
            return await steps(client)

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, whole()).result(timeout=300)


@pytest.fixture
def no_pin(fill, tmp_path):
    script = tmp_path / "unpin.py"
    script.write_text(
        "from curation.models import PinnedQuestion\n"
        f"PinnedQuestion.objects.filter(question={QUESTION!r}).delete()\nprint('gone')\n"
    )
    fill(str(script))


def test_a_session_over_http_drafts_and_is_refused_publication(site, secret, no_pin):
    assert run(over_http(site, secret)).startswith("This token may not publish.")


def test_a_session_over_stdio_drafts_and_is_refused_publication(state, secret, no_pin):
    assert run(over_stdio(state, secret)).startswith("This token may not publish.")


def test_an_operator_names_an_account_and_what_the_assistant_may_do(state, secret, no_pin):
    said = run(over_stdio(state, secret, "--user", "editor", "--access", "publish"), draft)
    assert said.startswith("Your account may not publish.")
