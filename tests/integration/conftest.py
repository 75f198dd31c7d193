"""A real Redis server, a second process of the product beside the test's own, and both set up to use that server."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.conf import settings as configured
from django.db import connection

from lectorium.redis_services import cache_on, layer_on
from tests.chat.conftest import corpus, people  # noqa: F401 - fixtures
from tests.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 10  # seconds


class RedisServer:
    """redis-server from the PATH on a free port of this machine, in a folder of its own, without persistence."""

    def __init__(self, folder):
        self._folder = folder
        self._process = None
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"

    def start(self):
        how = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", str(self._folder)]
        self._process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), *how], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + PATIENCE
        while not self.answers():
            assert self._process.poll() is None, "redis-server ended at once"
            assert time.monotonic() < deadline, f"redis-server does not answer on port {self.port}"
            time.sleep(0.02)

    def answers(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as line:
                line.sendall(b"PING\r\n")
                return line.recv(7) == b"+PONG\r\n"
        except OSError:
            return False

    def kill(self):
        if self._process:
            self._process.kill()
            self._process.wait(PATIENCE)
            self._process = None


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    if not shutil.which("redis-server"):
        pytest.skip("redis-server is not installed here: apt-get install redis-server")
    one = RedisServer(tmp_path_factory.mktemp("redis"))
    yield one
    one.kill()


@pytest.fixture
def redis_off(server):
    """A server that is not started yet."""
    server.kill()
    return server


@pytest.fixture
def redis(redis_off):
    """A server that answers, and holds nothing."""
    redis_off.start()
    return redis_off


@pytest.fixture
def silent():
    """The address of a server that takes connections and never says a word."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(100)
        yield f"redis://127.0.0.1:{listening.getsockname()[1]}/0"


@pytest.fixture
def use(settings):
    """Set the product up to use the Redis at an address."""

    def used(url):
        settings.REDIS_URL = url
        settings.CACHES = {"default": cache_on(url)}
        settings.CHANNEL_LAYERS = {"default": layer_on(url)}

    return used


@pytest.fixture(scope="session")
def elsewhere(server, django_db_setup):
    """Call a function of `second_process.py` in a process of its own, which uses the same server and database."""
    told = {
        "REDIS_URL": server.url,
        "LECTORIUM_SECRET_KEY": configured.SECRET_KEY,
        "LECTORIUM_CALIBRATIONS": str(ROOT / "tests" / "calibrations"),
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.integration.second_process", connection.settings_dict["NAME"]],
        cwd=ROOT, env=os.environ | told, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip

    def call(name, *facts):
        print(json.dumps([name, *facts]), file=process.stdin, flush=True)
        return json.loads(process.stdout.readline())

    yield call
    process.kill()
    process.communicate()
