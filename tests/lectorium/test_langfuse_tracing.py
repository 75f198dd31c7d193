"""Langfuse is told of a turn where its keys are set, and of nothing where they are not."""

import json
import threading
import time
from decimal import Decimal
from uuid import uuid4

import pytest

from lectorium import langfuse_client, langfuse_tracing
from lectorium.env import LangfuseKeys
from lectorium.ladder.calls import Call
from lectorium.ladder.selectors import ResolvedModel
from lectorium.langfuse_tracing import ObservedTurn, send_turn, trouble
from operations import diagnosis

from .langfuse_server import running_langfuse

NOWHERE = LangfuseKeys("http://127.0.0.1:9", "public-nowhere", "secret-of-nowhere")
SERVED = ResolvedModel("synthesize", "vllm:small", "row-1", 3, "abcdef123456", 0.2, 800, Decimal(2), Decimal(10), 30)


def a_turn(*calls):
    return ObservedTurn(
        uuid4(), uuid4(), "pseudonym", "Why?", "Because.", time.time(), 1.5, {"outcome": "grounded"}, calls
    )


@pytest.fixture
def langfuse(settings):
    with running_langfuse() as service:
        settings.LANGFUSE = service.keys
        yield service


def test_a_turn_is_a_trace_under_its_own_id(langfuse):
    turn = a_turn()
    send_turn(turn)
    whole = langfuse.spans["turn"]
    assert (whole["trace"], whole["parent"], whole["ms"]) == (turn.turn.hex, b"", 1500)
    assert (whole["session.id"], whole["user.id"]) == (str(turn.conversation), "pseudonym")
    assert (whole["observation.input"], whole["observation.output"]) == ("Why?", "Because.")
    assert json.loads(whole["observation.metadata.outcome"]) == "grounded"


def test_a_call_is_a_generation_with_model_prompt_tokens_cost_time_and_outcome(langfuse):
    turn = a_turn(Call(SERVED, "written", time.time(), 0.25, 1000, 500))
    send_turn(turn)
    spans = langfuse.spans
    call = spans["synthesize"]
    assert (call["trace"], call["parent"], call["ms"]) == (turn.turn.hex, spans["turn"]["id"], 250)
    assert (call["observation.type"], call["observation.model.name"]) == ("generation", "vllm:small")
    assert call["version"] == "abcdef123456"
    assert json.loads(call["observation.usage_details"]) == {"input": 1000, "output": 500}
    assert json.loads(call["observation.cost_details"]) == {"total": 0.007}
    facts = {
        name: json.loads(call[f"observation.metadata.{name}"]) for name in ("row", "version", "percent", "outcome")
    }
    assert facts == {"row": "row-1", "version": 3, "percent": 30, "outcome": "written"}
    assert "observation.level" not in call


def test_a_fault_is_an_error_and_the_builtin_no_generation(langfuse):
    send_turn(a_turn(Call(SERVED, "cut_off", time.time()), Call(ResolvedModel("title"), "builtin", time.time())))
    spans = langfuse.spans
    assert spans["synthesize"]["observation.level"] == "ERROR"
    assert spans["synthesize"]["observation.status_message"] == "cut_off"
    assert spans["title"]["observation.type"] == "span"
    assert "observation.model.name" not in spans["title"]


def test_without_keys_nothing_is_told(settings, monkeypatch):
    settings.LANGFUSE = None
    monkeypatch.setattr(langfuse_tracing, "_sender", None)
    send_turn(a_turn())


def test_a_slow_langfuse_keeps_nobody_waiting(settings, monkeypatch):
    told, open_again = [], threading.Event()

    def slow(keys, turn):
        open_again.wait(10)
        told.append(turn)

    settings.LANGFUSE = NOWHERE
    monkeypatch.setattr(langfuse_client, "send", slow)
    turns = [a_turn() for _ in range(3)]
    for turn in turns:
        send_turn(turn)
    assert told == []
    open_again.set()
    langfuse_tracing._sender.submit(int).result()
    assert told == turns


def test_what_fails_while_telling_is_logged_without_the_key_and_forgotten(settings, monkeypatch, caplog):
    def broken(keys, turn):
        raise RuntimeError("no room")

    settings.LANGFUSE = NOWHERE
    monkeypatch.setattr(langfuse_client, "send", broken)
    send_turn(a_turn())
    langfuse_tracing._sender.submit(int).result()
    assert "no room" in caplog.text
    assert "secret-of-nowhere" not in caplog.text


def test_the_doctor_says_whether_it_is_on_and_reached(langfuse, settings):
    check = diagnosis.CHECKS["langfuse"]
    assert check() == (True, f"on: turns are sent to {langfuse.keys.host}")
    langfuse.status = 503
    assert trouble(langfuse.keys) == f"{langfuse.keys.host} answered HTTP 503"
    wrong = LangfuseKeys(langfuse.keys.host, "another", "key")
    assert trouble(wrong) == f"{wrong.host} rejects these keys (HTTP 401)"
    assert trouble(NOWHERE) == "http://127.0.0.1:9 cannot be reached: ConnectError"
    settings.LANGFUSE = None
    assert check()[0]
    assert check()[1].startswith("off: LANGFUSE_PUBLIC_KEY")


def test_the_doctor_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "langfuse", None)
    install = "pip install --no-deps --require-hashes -r locks/langfuse.txt"
    assert trouble(NOWHERE).startswith(f"its package is not installed: {install}")
