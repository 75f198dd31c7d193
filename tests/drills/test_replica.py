"""A streaming replica of a real site: the same answers, and answers while it is frozen, stopped or behind."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import time

import psutil
import pytest

from lectorium import replicas
from scripts.replica import start_replica, url_of
from tests.drills.conftest import new_folder

pytestmark = pytest.mark.slow
QUESTIONS = (
    "Why did Arjuna put down his bow?",
    "What is the self?",
    "What does Krishna say about duty?",
    "BG 2.47",
    "How do I bake bread?",
)
ANSWER = {"sentence": ("text", "verdict", "citations"), "refusal": ("reason", "nearest"), "done": ("outcome",)}


@pytest.fixture
def replica(site):
    folder = new_folder()
    made = start_replica(site.server, folder)
    yield made
    send(made, signal.SIGCONT)
    made.stop()
    shutil.rmtree(folder)


def send(server, sign):
    """Send a signal to all processes of a server."""
    status = server.status() if sign == signal.SIGSTOP else None
    pid = status.pid if status else int((server.place.data / "postmaster.pid").read_text().split()[0])
    for process in [psutil.Process(pid), *psutil.Process(pid).children()]:
        os.kill(process.pid, sign)


def query(server, sql):
    psql = [
        server.program("psql"),
        "-h",
        server.address.socket_dir,
        "-U",
        server.address.user,
        "-tAc",
        sql,
        "lectorium",
    ]
    return subprocess.run(psql, capture_output=True, text=True, check=True).stdout.strip()


def scans(server):
    time.sleep(1.5)  # sessions report their scans after a second
    return int(query(server, "SELECT seq_scan + idx_scan FROM pg_stat_user_tables WHERE relname = 'corpus_chunk'"))


def answer(site, question=QUESTIONS[0]):
    """What the reader was shown, and why the replica did not serve, as the audit recorded it."""
    events = asyncio.run(site.reader().ask(question))
    shown = [[event[name] for name in ANSWER[event["type"]]] for event in events if event["type"] in ANSWER]
    recorded = query(site.server, "SELECT trace->>'replica' FROM audit_turnaudit ORDER BY created_at DESC LIMIT 1")
    return shown, recorded


def answer_from_replica(site):
    """Ask until the replica serves again; return the first such answer."""
    until = time.monotonic() + 60
    while (found := answer(site))[1]:
        assert time.monotonic() < until, found[1]
        time.sleep(1)
    return found


def test_a_replica_gives_the_same_answers_and_the_primary_answers_while_it_is_away(site, replica):
    site.environment["LECTORIUM_ANSWER_CACHE"] = "0"
    web = site.start_web()
    alone = [answer(site, question) for question in QUESTIONS]
    web.terminate()
    web.wait(30)
    site.start_web(REPLICA_URL=url_of(replica))
    before = scans(replica)
    assert [answer(site, question) for question in QUESTIONS] == alone
    assert scans(replica) >= before + len(QUESTIONS)

    send(replica, signal.SIGSTOP)
    assert answer(site) == (alone[0][0], "does not answer in time")
    began = time.monotonic()
    assert answer(site) == (alone[0][0], "does not answer in time")
    assert time.monotonic() - began < replicas.LOOK_UP_SECONDS  # known by now
    assert "the primary database does the look-ups" in json.loads(site.status("readyz")[1])["degraded"][0]
    send(replica, signal.SIGCONT)
    assert answer_from_replica(site) == alone[0]

    replica.stop()
    shown, recorded = answer(site)
    assert shown == alone[0][0]
    assert recorded in ("fails: OperationalError", "cannot be reached")
    replica.ensure_running()
    assert answer_from_replica(site) == alone[0]
    log = site.log("web").read_text()
    assert "look-ups go to the primary" in log
    assert "serves look-ups again" in log

    assert float(query(replica, replicas._BEHIND)) == 0
    query(replica, "SELECT pg_wal_replay_pause()")
    query(site.server, "CREATE TABLE written_meanwhile ()")
    time.sleep(1)
    assert float(query(replica, replicas._BEHIND)) >= 1
