"""Look-ups read from the replica, everything else from the primary; a second alias of the test database plays it."""

import asyncio
from functools import partial

import pytest
from django.db import OperationalError, connection, connections
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from audit.models import TurnAudit
from chat.answering import lexical
from chat.answering.ask import operator
from chat.answering.stages import retrieve
from corpus.models import Chunk, Collection
from corpus.selectors import serving_space
from lectorium import replicas
from lectorium.asking import ask, search
from lectorium.providers.stand_ins.hashing import HashingEmbedder
from lectorium.replicas import ReplicaRouter, replica_reads
from operations import diagnosis, metrics_page

QUESTION = "the banyan tree"


# Before the test database is made, so that the alias is another way to it. Nothing reads there but these tests.
connections.databases["replica"] = {**connections.databases["default"], "OPTIONS": {}, "TEST": {"MIRROR": "default"}}
pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "replica"])


@pytest.fixture
def replica(corpus, settings):
    settings.LOOK_UP_DATABASE = "replica"
    replicas.replica.forget()
    yield connections.databases["replica"]
    replicas.replica.forget()


def test_every_lane_reads_from_the_replica(replica):
    vectors, viewer, space = HashingEmbedder().embed_questions([QUESTION]), operator(), serving_space()
    lanes = (
        partial(retrieve.dense_lane, vectors, viewer, space),
        partial(lexical.lexical_lane, [("banyan", "treee")], viewer),
        partial(retrieve.address_lane, ("bg 2 47",), viewer),
    )
    for lane in lanes:
        with (
            replica_reads(),
            CaptureQueriesContext(connection) as primary,
            CaptureQueriesContext(connections["replica"]) as other,
        ):
            assert lane()
        assert len(other) >= 1
        assert len(primary) == 0


async def test_the_curated_look_reads_from_the_primary_while_the_others_read_from_the_replica(replica, monkeypatch):
    read = {}

    def look(name):
        return lambda *_: read.update({name: ReplicaRouter().db_for_read(Chunk)}) or []

    for name in ("matches_of", "address_lane", "dense_lane", "lexical_lane"):
        monkeypatch.setattr(retrieve, name, look(name))
    await search(QUESTION)
    lanes = {"address_lane": "replica", "dense_lane": "replica", "lexical_lane": "replica"}
    assert read == {"matches_of": "default", **lanes}


def test_outside_look_ups_and_for_writes_the_primary_is_used(replica):
    with replica_reads():
        chunk = Chunk.objects.first()
        Chunk.objects.filter(pk=chunk.pk).update(heading="New")
        chunk.collection = Collection.objects.create(key="made", title="Made")
        chunk.save()
        assert chunk._state.db == "default"
    assert Chunk.objects.first()._state.db == "default"


def test_without_a_replica_look_ups_read_from_the_primary(corpus):
    with replica_reads():
        assert Chunk.objects.first()._state.db == "default"


def test_a_replica_that_cannot_be_reached_costs_no_answer_and_is_reported(replica, monkeypatch, caplog, client):
    monkeypatch.setitem(replica, "ENGINE", "django.db.backends.postgresql")
    monkeypatch.setitem(replica, "HOST", "/nonexistent")
    rows = asyncio.run(search(QUESTION))
    assert "banyan" in rows[0]["text"]
    assert "The replica cannot be reached; look-ups go to the primary." in caplog.text
    assert "The replica does not serve" in client.get(reverse("readyz")).json()["degraded"][0]
    (up,) = (metric for metric in metrics_page._gauges() if metric.name == "lectorium_replica_up")
    assert up.samples[0].value == 0
    assert diagnosis.CHECKS["replica"]() == (False, "the replica cannot be reached; the primary does the look-ups")


def test_a_look_up_that_fails_on_the_replica_is_made_on_the_primary_and_the_turn_records_why(replica, monkeypatch):
    def fails_on_replica(*_):
        if ReplicaRouter().db_for_read(Chunk) == "replica":
            raise OperationalError("canceling statement due to conflict with recovery")
        return []

    monkeypatch.setattr(retrieve, "dense_lane", fails_on_replica)
    asyncio.run(ask(QUESTION, mode="instant", record=True))
    assert TurnAudit.objects.latest("created_at").trace["replica"] == "fails: OperationalError"
