"""Models of another process, over a real socket, with fakes for models."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from lectorium.providers import cancellation, registry
from lectorium.providers.batching import Batcher
from lectorium.providers.cancellation import StoppedError
from lectorium.providers.errors import ModelMissing, ServerFault, Unreachable
from lectorium.providers.protocols import Judgement, Reading
from lectorium.providers.shared import client
from lectorium.providers.shared.server import ModelServer
from lectorium.providers.stand_ins.hashing import HashingEmbedder
from lectorium.providers.stand_ins.overlap import OverlapCrossEncoder

PASSAGES = ["The lamp burns.", "Nobody came.", ""]


class Damaged(OverlapCrossEncoder):
    def read(self, question, passages):
        raise ModelMissing("no weights") if question == "gone" else RuntimeError("out of memory")


class Counting:
    """A reader whose rows share batches, as those of the shipped one; the first batch waits for the second caller."""

    name, passed_bar = "counting", True

    def __init__(self):
        self.batches, self.may_go = [], threading.Event()
        self._batcher = Batcher(self._compute, len, 100)

    def read(self, question, passages):
        return [Reading(len(text), 0.5, None) for text in self._batcher.run(passages)]

    def _compute(self, rows):
        self.batches.append(list(rows))
        self.may_go.wait(5)
        return rows


class ServedModels:
    def __init__(self, path):
        self.path, self.models, self.server = path, {}, None
        self.start()

    def start(self):
        self.server = ModelServer(self.path, self.models.get)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def served(settings, monkeypatch):
    monkeypatch.setattr(client, "CONNECT_SECONDS", 0.0)
    for role in ("embedder", "reader", "clip_reader", "verifier"):
        registry.replace_model(role, None)
    with TemporaryDirectory(prefix="models-", dir="/tmp") as folder:  # a socket's path is short
        settings.INFERENCE = f"{folder}/models.sock"
        served = ServedModels(Path(settings.INFERENCE))
        served.models |= {"reader": OverlapCrossEncoder(), "verifier": OverlapCrossEncoder()}
        yield served
        served.stop()


def test_what_a_model_says_comes_as_if_it_were_here(served):
    own, shared = OverlapCrossEncoder(), registry.reader()
    assert isinstance(shared, client.SharedCrossEncoder)
    assert (shared.name, shared.passed_bar) == (own.name, own.passed_bar)
    assert shared.read("Who burns the lamp?", PASSAGES) == own.read("Who burns the lamp?", PASSAGES)
    assert shared.rerank("Who burns the lamp?", PASSAGES) == own.rerank("Who burns the lamp?", PASSAGES)
    pairs = [(PASSAGES[0], "The lamp burns."), (PASSAGES[1], "It rained.")]
    judged = registry.verifier().verify(pairs)
    assert judged == own.verify(pairs)
    assert {type(judgement) for judgement in judged} == {Judgement}
    assert shared.read("Anyone?", []) == []
    assert registry.clip_reader() is None
    assert Path(served.path).stat().st_mode & 0o777 == 0o600


def test_vectors_come_whole_and_tokens_are_counted_here(served, settings):
    settings.EMBEDDER = "hashing"
    served.models["embedder hashing"] = own = HashingEmbedder()
    shared = registry.embedder()
    many = [*PASSAGES, *(f"passage {n} of {'many ' * (n % 7)}" for n in range(client.PASSAGES))]
    assert np.array_equal(shared.embed_passages(many), own.embed_passages(many))
    assert shared.embed_questions([]).shape == (0, own.width) == (0, shared.width)
    assert shared.token_spans("The lamp") == own.token_spans("The lamp")


def test_a_models_error_is_ours_again_and_the_next_call_works(served):
    served.models["verifier"] = Damaged()
    damaged = registry.verifier()
    with pytest.raises(ModelMissing, match="no weights"):
        damaged.read("gone", PASSAGES)
    with pytest.raises(ServerFault, match="out of memory"):
        damaged.read("full", PASSAGES)
    assert len(registry.reader().read("Who?", PASSAGES)) == 3


def test_rows_of_several_callers_share_a_batch(served):
    served.models["reader"] = counting = Counting()
    reader = registry.reader()
    with ThreadPoolExecutor(3) as callers:
        first = callers.submit(reader.read, "?", ["aaa"])
        while not counting.batches:
            pass
        others = [callers.submit(reader.read, "?", [text]) for text in ("bbb", "ccc")]
        while len(counting._batcher._jobs) < 2:
            pass
        counting.may_go.set()
        assert [found.result()[0].relevance for found in (first, *others)] == [3, 3, 3]
    assert sorted(map(len, counting.batches)) == [1, 2]


def test_a_caller_who_stops_waits_no_longer_and_its_rows_are_dropped(served):
    served.models["reader"] = counting = Counting()
    reader, signal = registry.reader(), threading.Event()
    with ThreadPoolExecutor(2) as callers:
        callers.submit(reader.read, "?", ["aaa"])
        while not counting.batches:
            pass

        def stopped():
            cancellation.listen(signal)
            return reader.read("?", ["dropped"])

        leaving = callers.submit(stopped)
        while not counting._batcher._jobs:
            pass
        signal.set()
        with pytest.raises(StoppedError):
            leaving.result()
        while not counting._batcher._jobs[0].unwanted:
            pass
        counting.may_go.set()
    assert counting.batches == [["aaa"]]


def test_without_the_process_a_call_fails_as_a_service_that_is_away_and_works_once_it_is_back(served):
    reader = registry.reader()
    reader.read("Who?", PASSAGES)
    served.stop()
    with pytest.raises(Unreachable, match="the model process"):
        client._link(str(served.path))._connected()
    served.start()  # over the socket that the one before left
    assert len(reader.read("Who?", PASSAGES)) == 3
    with pytest.raises(OSError, match="in use"):
        ModelServer(served.path, served.models.get)
