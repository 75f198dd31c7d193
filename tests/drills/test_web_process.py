"""A web process that is killed or told to stop at the worst moments."""

import asyncio
import contextlib
import json
import random
import socket
import threading
import time
import urllib.request
from collections import Counter

import psycopg
import pytest

from tests.drills.site import QUESTION, DrillSite, events_of

pytestmark = pytest.mark.slow
STOPPED_WITHIN = 15  # seconds; systemd and Docker kill later
SESSION = "sessionid=" + "a" * 32


@pytest.fixture
def silent_model():
    """The settings of a chat model whose server accepts requests and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        yield {
            "LECTORIUM_CHAT_ENDPOINTS": f"mute={address}",
            "LECTORIUM_LADDER": "outline=mute:model,synthesize=mute:model",
            "LECTORIUM_CHAT_SILENCE": "60",
        }


@pytest.fixture
def silent_site(new_site, silent_model) -> DrillSite:
    """A site that waits for a silent model in auto mode."""
    site = new_site(**silent_model)
    site.manage("migrate", "-v", "0")  # adds the ladder's rows
    return site


async def in_the_middle_of_an_answer(line):
    """Ask in auto mode; return the last event before the model is silent."""
    events = []
    await line.send(json.dumps({"type": "ask", "question": QUESTION, "mode": "auto"}))
    with contextlib.suppress(TimeoutError):
        async for event in events_of(line, seconds=3):
            events.append(event)
    assert events[-1]["type"] == "status"
    return events[-1]


async def resumed_and_asked_again(site, reader, last):
    """A new web process ends the lost turn for its reader, who can ask again."""
    process = site.start_web()
    events = await reader.resume(last["turn"], last["seq"])
    assert [event["seq"] for event in events] == list(range(last["seq"] + 1, last["seq"] + 1 + len(events)))
    assert events[-1]["outcome"] == "interrupted"
    assert (await reader.ask())[-1]["outcome"] == "grounded"
    assert site.query("SELECT count(*) FROM chat_turn WHERE outcome = ''") == "0"
    assert site.query("SELECT count(*) FROM chat_turn") == "2"
    return process


async def test_a_reader_resumes_an_answer_whose_process_was_killed(silent_site):
    process, reader = silent_site.start_web(), silent_site.reader()
    async with reader.connected() as line:
        last = await in_the_middle_of_an_answer(line)
        process.kill()
        process.wait()
    await resumed_and_asked_again(silent_site, reader, last)


async def test_a_process_that_is_told_to_stop_leaves_in_time_in_the_middle_of_an_answer(silent_site):
    process, reader = silent_site.start_web(), silent_site.reader()
    async with reader.connected() as line:
        last = await in_the_middle_of_an_answer(line)
        process.terminate()
        process.wait(STOPPED_WITHIN)
    await resumed_and_asked_again(silent_site, reader, last)


async def test_every_question_that_is_stopped_gets_its_end(site):
    site.start_web()
    draw, outcomes = random.Random(1), Counter()

    async def ask_and_stop(reader):
        for _ in range(10):
            async with reader.connected() as line:
                await line.send(json.dumps({"type": "ask", "question": QUESTION, "mode": "instant"}))
                async for event in events_of(line, seconds=30):
                    if event["type"] == "status":
                        await asyncio.sleep(draw.choice([0, 0.01, 0.05]) * draw.random())
                        await line.send('{"type": "stop"}')
                outcomes[event["outcome"]] += 1

    await asyncio.gather(*(ask_and_stop(site.reader()) for _ in range(4)))
    assert outcomes.total() == 40
    assert outcomes["interrupted"] > 20


def test_a_process_that_is_told_to_stop_leaves_in_time_though_a_request_waits_for_the_database(site):
    process = site.start_web()
    address = site.server.address
    with psycopg.connect(host=str(address.socket_dir), user=address.user, dbname=address.database) as locking:
        locking.execute("LOCK TABLE django_session")
        request = urllib.request.Request(f"{site.url}/", headers={"Cookie": SESSION})
        threading.Thread(target=_ignored, args=(request,), daemon=True).start()
        waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        while site.query(waiting) == "0":
            time.sleep(0.1)
        process.terminate()
        process.wait(STOPPED_WITHIN)
    assert "a request did not end" in site.log("web").read_text()
    site.start_web()
    assert site.status("")[0] == 200


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"POST / HTTP/1.1\r\nContent-Length: 9\r\n"]
)
def test_a_process_that_is_told_to_stop_leaves_at_once_with_idle_connections(site, sent):
    process = site.start_web()
    with socket.create_connection(("127.0.0.1", site.port)) as connection:
        connection.sendall(sent)
        time.sleep(2)  # until the server has forgotten the request that it answered
        process.terminate()
        assert process.wait(5) == 0


def _ignored(request):
    with contextlib.suppress(OSError):
        urllib.request.urlopen(request, timeout=60).close()
