"""The database goes away while a turn runs, as in a restart: every new connection to it is refused."""

import asyncio

import pytest
from django.conf import settings
from django.db import OperationalError
from django.utils import timezone
from django.utils.module_loading import import_string

from chat.answering import after_answer, quoting, turn, turn_records
from chat.conversations import services
from chat.models import Turn
from lectorium.threads import in_thread
from tests.chat.sockets import session_for, socket, until_done

pytestmark = pytest.mark.django_db(transaction=True)

QUESTION = {"type": "ask", "question": "Who refused to bow to the newly made man?", "mode": "instant"}


class Database:
    """Refuses connections while `away`; says at which stage it goes."""

    def __init__(self, monkeypatch):
        self.away = False
        self.has_gone = asyncio.Event()
        wrapper = import_string(f"{settings.DATABASES['default']['ENGINE']}.base.DatabaseWrapper")
        real = wrapper.get_new_connection

        def connected(connection, parameters):
            if self.away:
                raise OperationalError("connection refused")
            return real(connection, parameters)

        monkeypatch.setattr(wrapper, "get_new_connection", connected)
        self._monkeypatch = monkeypatch

    def goes_at(self, stage):
        """Go away when the turn calls the function of this name."""
        caller = {"finish_answer": quoting, "store_answer": after_answer}.get(stage, turn)
        real = getattr(caller, stage)

        async def gone(*args, **options):
            self.away = True
            self.has_gone.set()
            return await real(*args, **options)

        self._monkeypatch.setattr(caller, stage, gone)


@pytest.fixture
def database(monkeypatch):
    return Database(monkeypatch)


@pytest.fixture
async def reader(corpus, database):
    communicator = socket(await in_thread(session_for))
    await communicator.connect()
    yield communicator
    database.away = False
    await communicator.disconnect()


async def to_the_end(communicator):
    events = await until_done(communicator)
    while events[-1]["type"] != "done":
        events.append(await communicator.receive_json_from(timeout=20))
    return events


@pytest.mark.parametrize("stage", ["retrieve_candidates", "finish_answer", "store_answer"])
async def test_a_reader_is_told_the_end_and_can_ask_again_once_it_is_back(reader, database, short_waits, stage):
    database.goes_at(stage)
    await reader.send_json_to(QUESTION)
    events = await to_the_end(reader)
    kinds = [event["type"] for event in events]
    assert kinds.count("done") == 1
    assert kinds.count("error") == (stage != "store_answer")  # by then the turn is recorded
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert events[-1]["outcome"] == ("grounded" if stage == "store_answer" else "failed")
    assert "refused to bow" not in str([event for event in events if event["type"] == "error"])
    await asyncio.wait_for(database.has_gone.wait(), 20)  # the answer is kept for others after its end is sent
    database.away = False
    await reader.send_json_to({"type": "resume", "turn": events[0]["turn"], "after": len(events)})
    assert (await to_the_end(reader))[-1]["outcome"] == ("grounded" if stage == "store_answer" else "interrupted")
    assert not await Turn.objects.filter(outcome="").aexists()


async def test_a_turn_that_could_not_be_recorded_is_closed_by_the_tidying_job(reader, database):
    database.goes_at("retrieve_candidates")
    await reader.send_json_to(QUESTION)
    await to_the_end(reader)
    database.away = False
    await Turn.objects.aupdate(started_at=timezone.now() - 2 * services.EVENTS_KEPT)
    assert await in_thread(turn_records.turns_close_abandoned) == 1
    assert [outcome async for outcome in Turn.objects.values_list("outcome", flat=True)] == ["interrupted"]


async def test_stop_is_heard_while_it_is_away(reader, database, monkeypatch):
    begun = asyncio.Event()

    async def endless(*args):
        database.away = True
        begun.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(turn, "retrieve_candidates", endless)
    await reader.send_json_to(QUESTION)
    await asyncio.wait_for(begun.wait(), 20)
    await reader.send_json_to({"type": "stop"})
    assert (await to_the_end(reader))[-1]["type"] == "done"


async def test_a_question_asked_while_it_is_away_gets_one_sentence_and_the_socket_stays_open(reader, database):
    database.away = True
    await reader.send_json_to(QUESTION)
    event = await reader.receive_json_from(timeout=20)
    assert (event["type"], event["code"], event["retryable"]) == ("error", "unavailable", True)
    assert "refused" not in event["message"]
    database.away = False
    await reader.send_json_to(QUESTION)
    assert (await until_done(reader))[-1]["outcome"] == "grounded"
