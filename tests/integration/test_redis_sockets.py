"""Sockets of several web processes over a real Redis: nothing lost, nothing repeated, and no turn that needs Redis."""

import asyncio
import time

import pytest
from asgiref.sync import sync_to_async

from audit.models import TurnAudit
from chat.answering import turn
from chat.answering.turn_result import TurnResult
from chat.models import Turn, TurnEvent
from tests.chat.sockets import session_for, socket, until_done

pytestmark = pytest.mark.django_db(transaction=True)

QUESTION = {"type": "ask", "question": "Who refused to bow to the newly made man?", "mode": "instant"}


@pytest.fixture
async def session(corpus):
    return await sync_to_async(session_for)()


async def opened(session):
    reader = socket(session)
    connected, _ = await reader.connect()
    assert connected
    return reader


async def asked(reader):
    await reader.send_json_to(QUESTION)
    return await until_done(reader)


@pytest.fixture
def endless(monkeypatch):
    """A retrieval that says when it has begun, goes on until it is cancelled, and says so."""

    class Endless:
        async def __call__(self, *args):
            self.begun.set()
            try:
                await asyncio.sleep(60)
            finally:
                self.ended.set()

    one = Endless()
    one.begun, one.ended = asyncio.Event(), asyncio.Event()
    monkeypatch.setattr(turn, "retrieve_candidates", one)
    return one


async def test_a_socket_stays_open_while_nothing_is_said(redis, use, session):
    use(redis.url)
    reader = await opened(session)
    assert await reader.receive_nothing(timeout=6.5)
    assert (await asked(reader))[-1]["outcome"] == "grounded"
    await reader.disconnect()


async def test_what_one_process_answered_another_one_sends_again(redis, use, session, elsewhere):
    use(redis.url)
    reader = await opened(session)
    events = await asked(reader)
    for after in (0, 2):
        assert (
            await asyncio.to_thread(elsewhere, "resume", session.session_key, events[0]["turn"], after)
            == events[after:]
        )
    await reader.disconnect()


async def stopped_while_resumed(reader, elsewhere, session, turn, after):
    """What the reader of another process hears of a turn that its first reader stops meanwhile, and what that one."""
    resumed = asyncio.create_task(asyncio.to_thread(elsewhere, "resume", session.session_key, turn, after))
    await asyncio.sleep(1)  # the other process has begun to follow
    assert not resumed.done()
    await reader.send_json_to({"type": "stop"})
    return await resumed, await until_done(reader)


async def test_a_turn_resumed_elsewhere_goes_on_and_ends_for_both(redis, use, session, elsewhere, endless):
    use(redis.url)
    reader = await opened(session)
    await reader.send_json_to(QUESTION)
    first = await reader.receive_json_from(timeout=5)
    await endless.begun.wait()
    resumed, rest = await stopped_while_resumed(reader, elsewhere, session, first["turn"], first["seq"])
    assert endless.ended.is_set()
    heard = [first, *rest]
    assert [first, *resumed] == heard
    assert [event["seq"] for event in heard] == list(range(1, len(heard) + 1))
    assert resumed[-1]["outcome"] == "interrupted"
    audit = await TurnAudit.objects.aget(turn_id=first["turn"])
    assert "lost" not in audit.trace
    await reader.disconnect()


async def test_a_turn_ended_elsewhere_says_nothing_more_and_stops(redis_off, use, session, endless, monkeypatch):
    goes_on = asyncio.Event()

    async def take(running, stream):
        await running.status("plan", "at it")
        yield TurnResult()
        await goes_on.wait()
        try:
            await running.status("retrieve", "still at it")
            await endless()
        finally:
            endless.ended.set()

    monkeypatch.setattr(turn, "answer_question", take)
    use(redis_off.url)
    first, second = await opened(session), await opened(session)
    await first.send_json_to(QUESTION)
    began = await first.receive_json_from(timeout=5)
    back = {"type": "resume", "turn": began["turn"], "after": 0}
    await second.send_json_to(back)  # and no word of it reaches the first
    told = await until_done(second)
    assert [event["type"] for event in told] == ["status", "done"]
    assert told[-1]["outcome"] == "interrupted"
    goes_on.set()
    assert [began, *await until_done(first)] == told
    await asyncio.wait_for(endless.ended.wait(), 5)
    await second.send_json_to(back)
    assert await until_done(second) == told
    events = TurnEvent.objects.filter(turn=began["turn"])
    assert [event async for event in events.values_list("payload", flat=True)] == told
    assert await TurnAudit.objects.acount() == 1
    await first.disconnect()
    await second.disconnect()


async def test_without_redis_a_question_is_answered_and_a_dropped_one_resumed(redis_off, use, session):
    use(redis_off.url)
    reader = await opened(session)
    events = await asked(reader)
    assert events[-1]["outcome"] == "grounded"
    assert await reader.receive_nothing(timeout=2)
    await reader.disconnect()
    again = await opened(session)
    await again.send_json_to({"type": "resume", "turn": events[0]["turn"], "after": 2})
    assert await until_done(again) == events[2:]
    await again.disconnect()


async def test_redis_killed_under_open_sockets_ends_none_of_them_and_serves_again_once_it_is_back(
    redis, use, session, elsewhere, endless, caplog
):
    use(redis.url)
    reader = await opened(session)
    await reader.send_json_to(QUESTION)
    first = await reader.receive_json_from(timeout=5)
    await endless.begun.wait()
    redis.kill()
    await reader.send_json_to({"type": "stop"})
    assert (await until_done(reader))[-1]["outcome"] == "interrupted"
    assert await reader.receive_nothing(timeout=1)
    redis.start()
    endless.begun.clear()
    endless.ended.clear()
    await asyncio.sleep(1.5)  # both processes have found it again
    await reader.send_json_to(QUESTION)
    second = await reader.receive_json_from(timeout=5)
    await endless.begun.wait()
    resumed, rest = await stopped_while_resumed(reader, elsewhere, session, second["turn"], 0)
    assert endless.ended.is_set()
    assert resumed == [second, *rest]
    assert first["turn"] != second["turn"]
    assert caplog.text.count("Redis is unreachable") == 1
    assert caplog.text.count("Redis is back") == 1
    await reader.disconnect()


async def test_a_redis_that_never_answers_holds_up_no_socket(silent, use, session):
    use(silent)
    began = time.monotonic()
    reader = await opened(session)
    events = await asked(reader)
    await reader.send_json_to({"type": "resume", "turn": events[0]["turn"], "after": 2})
    assert await until_done(reader) == events[2:]
    assert time.monotonic() - began < 15  # seconds, on a busy machine: one each for looking up and for keeping
    assert await Turn.objects.filter(outcome="grounded").acount() == 1
    await reader.disconnect()
