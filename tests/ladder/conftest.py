import pytest

from lectorium.ladder.models import Rung
from lectorium.ladder.services import rung_save
from lectorium.providers import registry
from lectorium.providers.endpoint import Endpoint


@pytest.fixture
def services(settings):
    """Name two services; nobody listens there."""
    settings.CHAT_ENDPOINTS = {name: Endpoint(name, "http://127.0.0.1:9/v1") for name in ("vllm", "hosted")}


@pytest.fixture
def rung(services):
    """Return what makes a stored rung: rung("title", "vllm:small", percent=10)."""

    def make(job, model, **fields):
        made = Rung(job=job, model=model, **fields)
        made.full_clean()
        return rung_save(rung=made, by="tests")

    return make


@pytest.fixture
def scripted():
    """Return what puts a scripted model under a name."""
    names = []

    def put(name, model):
        names.append(name)
        registry.replace_model(name, model)
        return model

    yield put
    for name in names:
        registry.replace_model(name, None)
