"""Another web process beside the test's own: same database, same Redis, told by environment as an operator would.

    python -m tests.integration.second_process DATABASE

reads one call a line, a JSON list of a function's name and what it takes, and writes what it returns as a line of JSON.
"""

import asyncio
import json
import os
import sys

os.environ["DJANGO_SETTINGS_MODULE"] = "lectorium.settings"

import django

django.setup()

from asgiref.sync import sync_to_async
from django.contrib.sessions.backends.db import SessionStore
from django.db import connections
from django_q.brokers import get_broker
from django_q.signing import SignedPackage
from django_q.status import Stat, Status

from chat.answering.ask import operator
from lectorium.providers import registry
from lectorium.providers.stand_ins.hashing import HashingEmbedder
from lectorium.providers.stand_ins.overlap import OverlapCrossEncoder
from tests.chat.sockets import socket, until_done
from tests.chat.turns import run_recorded


async def ask(question, mode):
    """Return a recorded turn's response, and where it was kept, which turn it was given again from."""
    ended, _ = await run_recorded(question, await sync_to_async(operator)(), mode=mode)
    return {"cached": ended.trace.get("cached"), "response": ended.response()}


async def resume(session, turn, after):
    """Return the events that a reader hears who comes back for a turn here."""
    reader = socket(SessionStore(session))
    assert (await reader.connect())[0]
    await reader.send_json_to({"type": "resume", "turn": turn, "after": after})
    events = await until_done(reader)
    await reader.disconnect()
    return events


@sync_to_async
def tell_of_a_cluster():
    alive = Stat.__new__(Stat)
    Status.__init__(alive, 7, "cluster-1")
    alive.workers, alive.host, alive.broker = [8, 9], "far", None
    get_broker().set_stat(alive.key, SignedPackage.dumps(alive, True), 60)


async def serve():
    calls = {call.__name__: call for call in (ask, resume, tell_of_a_cluster)}
    while line := await asyncio.to_thread(sys.stdin.readline):
        name, *facts = json.loads(line)
        print(json.dumps(await calls[name](*facts), default=str), flush=True)


if __name__ == "__main__":
    connections.databases["default"]["NAME"] = sys.argv[1]
    registry.replace_model("embedder", HashingEmbedder())
    for role in ("reader", "verifier"):
        registry.replace_model(role, OverlapCrossEncoder())
    asyncio.run(serve())
