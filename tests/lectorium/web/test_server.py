"""The web server as `manage.py serve` starts it."""

import contextlib
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
import websockets
from django.conf import settings

from tests.ports import free_port

MEGABYTE = 1 << 20


@contextlib.contextmanager
def served(folder, application):
    """The address of a server with this application, and its process."""
    port = free_port()
    command = [sys.executable, "-m", "lectorium.web.server", "-v", "0", "-p", str(port), application]
    away = f"postgres://nobody@127.0.0.1:{free_port()}/nothing"  # neither application needs a database
    environment = {**os.environ, "LECTORIUM_STATE": str(folder), "DATABASE_URL": away}
    process = subprocess.Popen(command, cwd=settings.BASE_DIR, env=environment)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"{address}/healthz", timeout=2).close()
                break
            except OSError:
                time.sleep(0.2)
        yield address, process
    finally:
        process.terminate()
        process.wait(timeout=30)


@pytest.fixture
def server(tmp_path):
    with served(tmp_path, "lectorium.asgi:application") as (address, _):
        yield address


def test_a_form_is_left_to_the_application_and_too_large_a_one_is_refused_in_a_sentence(server):
    form = {"Content-Type": "multipart/form-data; boundary=x"}
    request = urllib.request.Request(f"{server}/login/", data=b"a" * 3_000_000, headers=form)
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=30)
    with refused.value as answer:
        assert answer.code == 413
        assert answer.read() == b"The request exceeds this page's limit of 2.5 MB."


async def closed_with(address, message):
    """The code and the reason that a socket is closed with after this message."""
    async with websockets.connect(address, max_size=None) as socket:
        with contextlib.suppress(websockets.ConnectionClosed):  # while the message is sent, or after it
            await socket.send(message)
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await socket.recv()
    return closed.value.rcvd.code, closed.value.rcvd.reason


async def test_a_message_over_the_limit_closes_its_socket_with_a_code_and_fills_no_memory(tmp_path):
    with served(tmp_path, "tests.lectorium.web.echo:application") as (http, process):
        address = http.replace("http", "ws")
        async with websockets.connect(address) as socket:
            await socket.send("a" * MEGABYTE)
            assert await socket.recv() == str(MEGABYTE)
        before = peak_mb(process)
        for message in ("a" * (MEGABYTE + 1), ["a" * (MEGABYTE // 4)] * 40, b"a" * (64 * MEGABYTE)):
            code, reason = await closed_with(address, message)
            assert code == 1009
            assert "exceeds payload limit of 1048576 octets" in reason
        assert peak_mb(process) - before < 16
        async with websockets.connect(address) as socket:
            await socket.send("still here")
            assert await socket.recv() == str(len("still here"))


def peak_mb(process):
    return int(Path(f"/proc/{process.pid}/status").read_text().partition("VmHWM:")[2].split()[0]) // 1024
