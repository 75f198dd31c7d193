"""Assistants that call the tools over HTTP, each with the token of somebody."""

from contextlib import asynccontextmanager

import httpx2
import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group, Permission
from django.core.cache import cache
from django.db import connections
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from chat.api.services import token_create
from corpus.models import Collection
from lectorium.asgi import application
from lectorium.threads import in_thread
from tests.chat.conftest import corpus, people  # noqa: F401 - fixtures

EDITORIAL = ("add_", "change_", "view_")
URL = "http://localhost/mcp"


@pytest.fixture(autouse=True)
def nothing_is_counted_yet(settings):
    settings.API_PER_MINUTE = 10_000
    cache.clear()


@pytest.fixture(autouse=True)
async def connections_are_given_back():
    yield
    await sync_to_async(connections.close_all)()


class CalledTools:
    """A client's session, and what its calls returned."""

    def __init__(self, client):
        self.client = client

    async def call(self, tool, **arguments):
        """The result of a call that must succeed."""
        result = await self.client.call_tool(tool, arguments)
        assert not result.is_error, result.content[0].text
        return result.structured_content

    async def refused(self, tool, **arguments):
        """The sentence of a call that must be refused."""
        result = await self.client.call_tool(tool, arguments)
        assert result.is_error, result.structured_content
        return result.content[0].text


def http_client(secret=None, **headers):
    headers |= {"Authorization": f"Bearer {secret}"} if secret else {}
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app=application), headers=headers)


@asynccontextmanager
async def assistant(secret, mode="auto", **headers):
    async with (
        http_client(secret, **headers) as http,
        Client(streamable_http_client(URL, http_client=http), mode=mode) as client,
    ):
        yield CalledTools(client)


def permitted(user, *apps, also=()):
    """Give the account an editor's permissions in these apps."""
    allowed = [
        permission
        for permission in Permission.objects.filter(content_type__app_label__in=apps)
        if permission.codename.startswith(EDITORIAL)
    ]
    user.user_permissions.set([*allowed, *Permission.objects.filter(codename__in=also)])


async def token_of(user, access="read"):
    return (await in_thread(token_create, owner=user, name="an assistant", access=access))[1]


@pytest.fixture
def readers(corpus, people):  # noqa: F811
    """Alice may see the hidden garden; Bob sees what everybody does and is an editor; Carol is a superuser."""
    gardeners = Group.objects.create(name="gardeners")
    Collection.objects.get(key="garden").groups.add(gardeners)
    people["alice"].groups.add(gardeners)
    permitted(people["bob"], "curation", also=("view_gapcluster",))
    return people
