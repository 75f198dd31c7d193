"""The answer cache, workers' signs of life and the operator's checks over a real Redis."""

import asyncio
import json
import os
import pickle
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.conf import settings
from django.core.signing import Signer
from django.urls import reverse
from redis import Redis

from chat.answering import answer_cache
from chat.answering.ask import operator
from chat.conversations.viewers import viewer_of
from corpus.models import Lecture
from corpus.services.publishing import source_publish, source_withdraw
from curation.models import PinnedQuestion
from lectorium.ladder.models import Rung
from lectorium.ladder.services import rung_save
from operations import diagnosis
from tests.chat.turns import run_recorded

pytestmark = pytest.mark.django_db(transaction=True)

QUESTION = "Who refused to bow to the newly made man?"


def asked(viewer=None, mode="instant"):
    return asyncio.run(run_recorded(QUESTION, viewer or operator(), mode=mode))[0]


def is_kept(ended):
    return "cached" in ended.trace


def stored(redis):
    """Return the keys of the answers that lie there, and a client to do as one likes with them."""
    client = Redis.from_url(redis.url)
    return client.keys("*answer:*"), client


def test_what_one_process_answered_another_gives_again_in_both_directions(redis, use, corpus, elsewhere):
    use(redis.url)
    first = asked()
    theirs = elsewhere("ask", QUESTION, "instant")
    assert theirs["cached"] == {"turn": str(first.turn_id)}
    own = {"id", "timings_ms"}
    assert {name: value for name, value in theirs["response"].items() if name not in own} == json.loads(
        json.dumps({name: value for name, value in first.response().items() if name not in own})
    )
    auto = elsewhere("ask", QUESTION, "auto")
    assert auto["cached"] is None
    assert asked(mode="auto").trace["cached"] == {"turn": auto["response"]["id"]}


def test_redis_forgets_an_answer_when_its_mode_says(redis, use, corpus):
    use(redis.url)
    for mode, seconds in (("instant", 120), ("auto", 300), ("thinking", 900)):
        before = set(stored(redis)[0])
        asked(mode=mode)
        keys, client = stored(redis)
        (key,) = set(keys) - before
        assert seconds - 5 <= client.ttl(key) <= seconds
    client.flushdb()
    assert not is_kept(asked())


def publish_again():
    lecture = Lecture.objects.get(key="first-steps")
    source_withdraw(source=lecture)
    source_publish(source=lecture)


CHANGES = {
    "publishing": publish_again,
    "curating": lambda: PinnedQuestion.objects.create(question="What is x?", state="published"),
    "the ladder": lambda: rung_save(rung=Rung(job="title", model="scripted:x", max_tokens=9), by="tests"),
}


def test_what_changes_an_answer_here_ends_the_kept_one_elsewhere(redis, use, corpus, elsewhere):
    use(redis.url)
    for change in CHANGES.values():
        asked()
        assert elsewhere("ask", QUESTION, "instant")["cached"]
        change()
        assert not elsewhere("ask", QUESTION, "instant")["cached"]


def test_two_who_see_different_collections_share_nothing_there(redis, use, corpus, people):
    use(redis.url)
    everyone, carol = viewer_of(people["bob"], None), viewer_of(people["carol"], None)
    assert not is_kept(asked(carol))
    assert not is_kept(asked(everyone))
    keys, client = stored(redis)
    assert len(keys) == 2
    values = [client.get(key) for key in keys]
    client.mset({keys[0]: values[1], keys[1]: values[0]})  # each sealed for the other's place
    assert not is_kept(asked(carol))
    assert not is_kept(asked(everyone))


class Trap:
    """Leaves a file where it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


def forged(text):
    """Return the answer with another word in it, signed by somebody else."""
    return json.dumps(
        Signer(key="guessed", salt="chat.answering.answer_cache").sign(text.rpartition(":")[0].replace("Iblis", "Adam"))
    )


GARBAGE = {
    "foreign bytes": lambda text, path: b"\xff\x00\x80",
    "half of it": lambda text, path: json.dumps(text)[: len(text) // 2],
    "a number": lambda text, path: "7",
    "another kind": lambda text, path: '{"answer": "The moon is cheese."}',
    "unsigned": lambda text, path: json.dumps(text.rpartition(":")[0]),
    "changed": lambda text, path: json.dumps(text.replace("Iblis", "Adam")),
    "forged": lambda text, path: forged(text),
    "a pickle that runs": lambda text, path: pickle.dumps(Trap(path)),
}


def test_what_cannot_be_read_there_is_passed_over_and_runs_nothing(redis, use, corpus, tmp_path, caplog):
    use(redis.url)
    asked()
    (key,), client = stored(redis)
    text = json.loads(client.get(key))
    assert "Iblis" in text
    trap = tmp_path / "sprung"
    older = answer_cache._signer(key.decode().partition(":1:")[2]).sign('{"turn": "x", "outcome": "grounded"}')
    for name, garbage in {**GARBAGE, "a form of our own that is older": lambda text, path: json.dumps(older)}.items():
        client.set(key, garbage(text, trap))
        ended = asked()
        assert (ended.outcome, is_kept(ended)) == ("grounded", False), name
        assert is_kept(asked()), f"after {name} the new answer is not kept"
    assert not trap.exists()
    assert "was not written by us" in caplog.text


def test_a_cluster_of_workers_elsewhere_is_seen_here(redis, use, elsewhere):
    use(redis.url)
    assert diagnosis.CHECKS["workers"]() == (False, "no cluster is running: run manage.py qcluster")
    elsewhere("tell_of_a_cluster")
    assert diagnosis.CHECKS["workers"]() == (True, "clusters: far:7 with 2")


def test_the_operator_is_told_in_words_how_redis_stands_and_a_ready_process_stays_ready(redis, use, corpus, client):
    def told():
        response = client.get(reverse("readyz"))
        return response.status_code, response.json()["degraded"], *diagnosis.CHECKS["redis"]()

    away = ["Redis is unavailable: answers are not cached."]
    use(redis.url)
    assert told() == (200, [], True, "written, read and deleted")
    redis.kill()
    status, degraded, ok, says = told()
    assert (status, degraded, ok) == (200, away, False)
    assert says.startswith(f"Redis at 127.0.0.1:{redis.port} cannot be reached; turns run without")
    assert diagnosis.CHECKS["workers"]() == (
        False, "the cache, where clusters report, cannot be read: ConnectionError",
    )  # fmt: skip
    redis.start()
    assert told()[2]
    Redis.from_url(redis.url).config_set("requirepass", "willow")
    use(redis.url.replace("redis://", "redis://:wrong@"))
    status, degraded, ok, says = told()
    assert (status, degraded, ok) == (200, away, False)
    assert says.startswith(f"Redis at 127.0.0.1:{redis.port} refuses the password")
    assert "wrong" not in says


def test_a_silent_redis_is_said_to_be_silent_and_soon(silent, use):
    use(silent)
    began = time.monotonic()
    ok, says = diagnosis.CHECKS["redis"]()
    assert not ok
    assert "does not answer within 1 s" in says
    assert time.monotonic() - began < 2


def test_turns_before_during_and_after_an_outage_are_answered_without_a_restart(redis, use, corpus, caplog):
    use(redis.url)
    asked()
    assert is_kept(asked())
    redis.kill()
    assert [(turn.outcome, is_kept(turn)) for turn in (asked(), asked())] == [("grounded", False)] * 2
    assert "cannot be read" in caplog.text
    redis.start()
    assert not is_kept(asked())
    assert is_kept(asked())


def test_a_full_redis_costs_no_turn_and_is_told(redis, use, corpus):
    use(redis.url)
    Redis.from_url(redis.url).config_set("maxmemory", 1)
    assert [(turn.outcome, is_kept(turn)) for turn in (asked(), asked())] == [("grounded", False)] * 2
    ok, says = diagnosis.CHECKS["redis"]()
    assert not ok
    assert "'maxmemory'" in says


def test_redis_without_a_key_of_ones_own_is_refused_at_start():
    environment = {"PATH": os.environ["PATH"], "REDIS_URL": "redis://127.0.0.1:6379/0"}
    command = [sys.executable, "-c", "import lectorium.settings"]
    started = subprocess.run(command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True)
    assert "LECTORIUM_SECRET_KEY is empty, but REDIS_URL is set" in started.stderr
