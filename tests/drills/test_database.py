"""A database server that is killed, stopped or not there yet, under a site that is in use."""

import asyncio
import json
import os
import signal

import pytest
from websockets.exceptions import InvalidHandshake

pytestmark = pytest.mark.slow
READERS = 3
ANSWERED = ("grounded", "partially_grounded")  # the second was seen once, on a busy machine
ERRORS = {"unavailable", "failed", "not_recorded"}


async def asking_until(ended, reader):
    """Ask again and again until `ended` is set; return the last event of each question."""
    last = []
    while not ended.is_set():
        try:
            last.append((await reader.ask())[-1])
        except InvalidHandshake:  # a browser would connect again, too
            await asyncio.sleep(0.5)
    return last


def kill_server(server):
    os.kill(server.status().pid, signal.SIGKILL)


@pytest.mark.parametrize("restart", [kill_server, lambda server: server.stop()], ids=["killed", "stopped"])
async def test_readers_outlast_a_restart_of_the_database_server(site, restart):
    web, worker = site.start_web(), site.start_worker()
    ended = asyncio.Event()
    readers = [asyncio.create_task(asking_until(ended, site.reader())) for _ in range(READERS)]
    for _ in range(2):
        await asyncio.sleep(3)
        await asyncio.to_thread(restart, site.server)
    await asyncio.sleep(5)
    ended.set()
    last = [event for events in await asyncio.gather(*readers) for event in events]
    kinds = {event.get("outcome") or event["code"] for event in last}
    assert "grounded" in kinds
    assert kinds <= {*ANSWERED, "interrupted", *ERRORS}, kinds
    assert (await site.reader().ask())[-1]["outcome"] == "grounded"
    assert (web.poll(), worker.poll()) == (None, None)
    site.query("UPDATE chat_turn SET started_at = started_at - interval '2 hours' WHERE outcome = ''")
    site.manage("shell", "-c", "from chat.tasks import tidy_conversations; tidy_conversations()")
    assert site.query("SELECT count(*) FROM chat_turn WHERE outcome = ''") == "0"
    recorded = int(site.query(f"SELECT count(*) FROM chat_turn WHERE outcome IN {ANSWERED}"))
    assert recorded == sum(event.get("outcome") in ANSWERED for event in last) + 1


async def test_a_site_that_starts_before_its_database_serves_once_that_is_there(new_site):
    database = new_site()
    host = database.server.address.socket_dir
    database.server.ensure_running()  # makes the socket's folder
    database.server.stop()
    site = new_site(DATABASE_URL=f"postgres://lectorium@/lectorium?host={host}")
    web, worker = site.start_web(wait="healthz"), site.start_worker()
    status, says = site.status("readyz")
    assert (status, json.loads(says)["missing"]) == (503, ["The database cannot be reached."])
    await asyncio.sleep(2)
    database.server.ensure_running()
    site.wait_for("readyz", web)
    assert (await site.reader().ask())[-1]["outcome"] == "grounded"
    assert worker.poll() is None
    assert "Waiting up to 60 s for the database." in site.log("worker").read_text()
