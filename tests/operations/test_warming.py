import pytest
from django.urls import reverse

from lectorium.providers import registry
from lectorium.providers.errors import Unreachable
from lectorium.providers.stand_ins.hashing import HashingEmbedder
from lectorium.providers.stand_ins.overlap import OverlapCrossEncoder
from operations import warming


@pytest.fixture(autouse=True)
def no_multilingual_space(monkeypatch):
    monkeypatch.setattr(warming, "multilingual_space", lambda: None)


def test_warming_loads_the_embedder_and_both_readers(monkeypatch):
    loaded = []

    class Embedder(HashingEmbedder):
        def embed_questions(self, texts):
            loaded.append("embedder")
            return super().embed_questions(texts)

    class Reader(OverlapCrossEncoder):
        def __init__(self, role):
            self.role = role

        def read(self, question, passages):
            loaded.append(self.role)
            return super().read(question, passages)

    monkeypatch.setattr(warming, "serving_space", lambda: None)
    registry.replace_model("embedder", Embedder())
    for role in ("reader", "clip_reader"):
        registry.replace_model(role, Reader(role))
    warming.begin()
    warming._thread.join(timeout=10)
    assert loaded == ["embedder", "reader", "clip_reader"]


def test_a_model_that_fails_to_load_is_logged(monkeypatch, caplog):
    def broken(name):
        raise OSError("weights are missing")

    monkeypatch.setattr(warming, "serving_space", lambda: None)
    monkeypatch.setattr(registry, "embedder", broken)
    warming.begin()
    warming._thread.join(timeout=10)
    assert not warming.is_under_way()
    assert "every question will fail" in caplog.text


class WarmReranker:
    name = "remote"

    def __init__(self, loaded, error=None):
        self.loaded, self.error = loaded, error

    def rerank(self, question, passages):
        self.loaded.append("reranker")
        if self.error:
            raise self.error
        return [0.0] * len(passages)


@pytest.fixture
def reranked(monkeypatch):
    """A running reranker."""
    monkeypatch.setattr(warming, "serving_space", lambda: None)
    return lambda model: registry.replace_model("reranker", model)


def test_warming_calls_a_configured_reranker(reranked, caplog):
    loaded = []
    reranked(WarmReranker(loaded))
    warming.begin()
    warming._thread.join(timeout=10)
    assert loaded == ["reranker"]
    assert not caplog.records


@pytest.mark.parametrize("error", [Unreachable("refused"), OSError("there is no such model")])
def test_a_failing_reranker_is_logged(reranked, caplog, error):
    reranked(WarmReranker([], error))
    warming.begin()
    warming._thread.join(timeout=10)
    assert not warming.is_under_way()
    assert "LECTORIUM_RERANKER" in caplog.text
    assert str(error) in caplog.text
    assert "every question will fail" not in caplog.text


def test_a_process_whose_models_cannot_be_loaded_is_not_ready_until_they_can(client, monkeypatch):
    monkeypatch.setattr(warming, "serving_space", lambda: None)
    with monkeypatch.context() as damaged:
        damaged.setattr(registry, "embedder", lambda name: 1 / 0)
        warming.begin()
        warming._thread.join(timeout=10)
    answer = client.get(reverse("readyz"))
    assert answer.status_code == 503
    assert "run manage.py doctor" in answer.json()["missing"][0]
    monkeypatch.setattr(warming, "RETRY_SECONDS", 0.0)
    client.get(reverse("readyz"))
    warming._thread.join(timeout=10)
    assert not warming.has_failed()
