import json

import pytest

from lectorium.providers import http, registry
from lectorium.providers.endpoint import Endpoint
from lectorium.providers.openai_compatible import OpenAICompatible

from .openai_server import ServerAnswer, fault, running_service

pytestmark = pytest.mark.network

JSON = {"Content-Type": "application/json"}


@pytest.fixture
async def service():
    async with running_service() as service:
        registry.replace_model("test:small", OpenAICompatible(Endpoint("test", service.url), "small"))
        yield service
        registry.replace_model("test:small", None)


def offering(*models) -> ServerAnswer:
    data = [{"id": model, "object": "model", "created": 0, "owned_by": "us"} for model in models]
    return ServerAnswer([json.dumps({"object": "list", "data": data}).encode()], headers=JSON)


async def test_a_service_that_offers_the_model_is_no_trouble(service):
    service.answers = [offering("large", "small")]
    assert await http.troubles(["test:small", "test:small"]) == []
    assert len(service.asked) == 1


async def test_a_service_that_offers_others_says_which(service):
    service.answers = [offering("large")]
    assert await http.troubles(["test:small"]) == ["test:small: the service offers large"]


async def test_a_refused_key_and_a_silent_service_are_told_apart(service, monkeypatch):
    service.answers = [fault(401, "Incorrect API key")]
    assert "Incorrect API key" in (await http.troubles(["test:small"]))[0]
    monkeypatch.setattr(http, "SECONDS", 0.3)
    service.answers = [ServerAnswer([], wait=30)]
    assert await http.troubles(["test:small"]) == ["test:small: no answer in 0.3 s"]


async def test_a_name_that_leads_nowhere_is_a_trouble_too():
    assert "must be PROVIDER:MODEL" in (await http.troubles(["elsewhere:x"]))[0]
