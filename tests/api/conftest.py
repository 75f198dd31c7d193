"""The corpus and the people of the chat's tests, and programs that act for them."""

import json

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.core.cache import cache
from django.db import connections
from django.test import AsyncClient

from chat.api.services import token_create
from corpus.models import Collection
from lectorium.threads import in_thread
from tests.chat.conftest import corpus, people  # noqa: F401 - fixtures

QUESTION = "Who refused to bow to the newly made man?"
HIDDEN = "Where did the gardener bury the silver compass?"
OUTSIDE = "Who discovered penicillin in London?"


@pytest.fixture(autouse=True)
def nothing_is_counted_yet(settings):
    """Throttles count in the cache; only their own tests are to meet them."""
    settings.API_PER_MINUTE = 10_000
    cache.clear()


@pytest.fixture(autouse=True)
async def connections_are_given_back():
    """Views that do not wait run on a thread of their own, with a connection of its own."""
    yield
    await sync_to_async(connections.close_all)()


class ApiProgram:
    """What calls the API for somebody; without a token, for nobody."""

    def __init__(self, secret=None):
        self.secret = secret
        self._client = AsyncClient(raise_request_exception=False)

    async def call(self, method, path, body=None, **headers):
        """Return the answer to a request; a body that is no text or bytes is sent as JSON."""
        data = body if isinstance(body, (str, bytes)) else json.dumps(body)
        headers |= {"Authorization": f"Bearer {self.secret}"} if self.secret else {}
        kind = headers.pop("Content_Type", "application/json")
        return await self._client.generic(method, path, "" if body is None else data, kind, headers=headers)

    async def get(self, path):
        return await self.call("GET", path)

    async def post(self, path, body, **headers):
        return await self.call("POST", path, body, **headers)

    async def ask(self, question=QUESTION, mode="instant", **more):
        return await self.post("/api/v1/ask", {"question": question, "mode": mode, **more})


def program_of(user, name="a program"):
    return ApiProgram(token_create(owner=user, name=name)[1])


@pytest.fixture
def alice(corpus, people):  # noqa: F811
    """Alice's program; she may see the hidden garden."""
    gardeners = Group.objects.create(name="gardeners")
    Collection.objects.get(key="garden").groups.add(gardeners)
    people["alice"].groups.add(gardeners)
    return program_of(people["alice"])


@pytest.fixture
def bob(corpus, people):  # noqa: F811
    """Bob's program; he may see what everybody may."""
    return program_of(people["bob"])


@pytest.fixture
async def asked(alice):
    """What Alice was answered about the hidden garden."""
    response = await alice.ask(HIDDEN)
    assert response.status_code == 200, response.content
    return response.json()


async def later(function, *args, **kwargs):
    return await in_thread(function, *args, **kwargs)
