"""Log lines name their turn, and hold neither a secret nor what a reader asked."""

import io
import json
import logging
import os
import subprocess
import sys
from contextlib import contextmanager
from contextvars import copy_context
from pathlib import Path

import pytest
from django.urls import reverse

from chat.answering.ask import operator
from chat.answering.turn_result import TurnResult
from lectorium.logs import JsonFormatter, LineFormatter, log_about
from lectorium.threads import in_thread
from lectorium.web.request_log import RequestLog
from tests.chat.turns import run_recorded

PROJECT = Path(__file__).resolve().parents[2]
SECRETS = {
    "LECTORIUM_SECRET_KEY": "key-of-the-site-1",
    "DATABASE_URL": "postgres://u:pass%2Fof-database-2@h/d",
    "REPLICA_URL": "postgres://u:pass%2Fof-replica-3@h/d",
    "REDIS_URL": "redis://:pass%2Fof-redis-4@h/0",
    "LECTORIUM_CHAT_KEY_VLLM": "key-of-vllm-5",
    "LECTORIUM_METRICS_TOKEN": "token-of-metrics-8",
    "LECTORIUM_RERANKER_KEY": "key-of-reranker-6",
    "LANGFUSE_SECRET_KEY": "key-of-langfuse-7",
}
PLAIN = {"LANGFUSE_PUBLIC_KEY": "pk-plain", "LECTORIUM_CHAT_ENDPOINTS": "vllm=http://h:1/v1"}
SPEAK = """
import logging, sys, django
django.setup()
log = logging.getLogger("chat.test")
try:
    raise ValueError(sys.argv[1])
except ValueError as error:
    log.exception("it says %s", error)
"""


@contextmanager
def collected(formatter):
    """The lines that are logged meanwhile."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(formatter)
    logging.getLogger().addHandler(handler)
    lines = []
    try:
        yield lines
    finally:
        logging.getLogger().removeHandler(handler)
        lines += written.getvalue().splitlines()


@pytest.mark.django_db(transaction=True)
async def test_a_failing_turns_lines_hold_its_id_and_neither_question_nor_secret(monkeypatch):
    async def failing(turn, stream):
        yield TurnResult()
        raise RuntimeError(f"no rows for {turn.question.text} with key-of-vllm-5")

    monkeypatch.setattr("chat.answering.turn.answer_question", failing)
    with collected(JsonFormatter(secrets=["key-of-vllm-5"])) as lines:
        ended, _ = await run_recorded("Who refused to bow?", await in_thread(operator))
    values = [json.loads(line) for line in lines]
    [failed] = [value for value in values if value["logger"] == "chat.answering.turn"]
    assert failed["level"] == "ERROR"
    assert failed["turn"] == str(ended.turn_id)
    assert failed["conversation"] == str(ended.conversation_id)
    assert failed["exception"]["type"] == "RuntimeError"
    assert any("failing" in place for place in failed["exception"]["at"])
    assert "bow" not in "".join(lines)
    assert "vllm" not in "".join(lines)


@pytest.mark.parametrize("form", ["json", "lines"])
def test_no_secret_of_the_environment_shows_in_a_line(tmp_path, form):
    parts = [
        "of-database-2",
        "of-replica-3",
        "of-redis-4",
        "of-the-site-1",
        "of-vllm-5",
        "of-reranker-6",
        "langfuse-7",
        "of-metrics-8",
    ]
    said = " ".join([*SECRETS.values(), "pass/of-database-2", "pass/of-replica-3", "pass/of-redis-4"])
    known = {"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "lectorium.settings", "LECTORIUM_LOG": form}
    environment = {**known, **SECRETS, **PLAIN, "LECTORIUM_STATE": str(tmp_path)}
    speak = [sys.executable, "-c", SPEAK, said]
    ran = subprocess.run(speak, cwd=PROJECT, env=environment, capture_output=True, text=True, check=True)
    assert "it says" in ran.stderr
    assert "•••" in ran.stderr
    assert not [part for part in parts if part in ran.stderr]
    if form == "json":
        assert [json.loads(line)["exception"]["type"] for line in ran.stderr.splitlines()] == ["ValueError"]


def test_a_line_is_one_line_whatever_is_said_and_names_what_it_is_about():
    record = logging.makeLogRecord({"msg": "first\nsecond “quoted” %s", "args": ("\x00\u2028",), "name": "n"})
    context = copy_context()
    context.run(log_about, turn="t-1")
    line = context.run(JsonFormatter().format, record)
    assert "\n" not in line
    assert json.loads(line)["message"].startswith("first\nsecond")
    assert json.loads(line)["turn"] == "t-1"
    assert json.loads(line)["time"].endswith("+00:00")


def test_a_short_secret_is_not_looked_for_in_every_word():
    record = logging.makeLogRecord({"msg": "a word, a longer-secret"})
    assert LineFormatter(secrets=["a", "", "longer-secret"]).format(record) == "a word, a •••"


async def test_a_request_is_logged_without_its_query_and_a_probe_not_at_all(caplog):
    async def application(scope, receive, send):
        await send({"type": "http.response.start", "status": 404, "headers": []})
        await send({"type": "http.response.body"})

    async def send(message):
        sent.append(message["type"])

    sent = []
    logged = RequestLog(application)
    with caplog.at_level("INFO", logger="lectorium.web.request_log"):
        for path in ("/c/a\nERROR forged", "/healthz"):
            await logged({"type": "http", "method": "GET", "path": path, "query_string": b"q=why"}, None, send)
    [record] = caplog.records
    assert record.facts == {"method": "GET", "path": "/c/a%0AERROR%20forged", "status": 404, "ms": record.facts["ms"]}
    assert "why" not in record.getMessage()
    assert len(sent) == 4


@pytest.mark.parametrize(
    ("name", "logged"),
    [("shared", "/s/***"), ("sign_up", "/sign-up/"), ("sign_up_finish", "/sign-up/***"),
     ("invitation", "/invitation/***"), ("password_reset_confirm", "/password/reset/***")],
)  # fmt: skip
async def test_a_token_that_opens_a_conversation_or_an_account_is_not_logged(caplog, name, logged):
    async def application(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message):
        pass

    tokens = ["Mq", "a-token-of-43-characters"] if "password" in name else ["a-token-of-43-characters"]
    path = reverse(name, args=[] if name == "sign_up" else tokens)
    with caplog.at_level("INFO", logger="lectorium.web.request_log"):
        await RequestLog(application)({"type": "http", "method": "GET", "path": path}, None, send)
    [record] = caplog.records
    assert "a-token" not in JsonFormatter().format(record)
    assert record.facts["path"] == logged
