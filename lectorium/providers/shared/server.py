"""Serves this process's models on a Unix socket, which only its user may open.

Concurrent calls reach the models on their own threads, so rows of several processes share batches as those of several
turns do.
"""

import contextlib
import contextvars
import json
import os
import select
import socket
import socketserver
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

from lectorium.providers import cancellation

from .frames import CALLS, FACTS, HEAD_BYTES, encoded, parse_lengths, send

CALLS_AT_ONCE = 64
TICK = 0.1  # seconds between looks whether the caller has left
Models = Callable[[str], Any]


class ModelServer(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """models: the model of a role, or None where it is not installed."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, path: Path, models: Models) -> None:
        """Raises OSError where another server has the socket, or its path is too long."""
        self.models = models
        self.pool = ThreadPoolExecutor(CALLS_AT_ONCE, thread_name_prefix="model-call")
        _remove_abandoned(path)
        before = os.umask(0o177)
        try:
            super().__init__(str(path), _Caller)
        finally:
            os.umask(before)


class _Caller(socketserver.StreamRequestHandler):
    """One connection: a call, its answer, the next call."""

    server: ModelServer

    def handle(self) -> None:
        with contextlib.suppress(ConnectionError):  # a caller that has left needs no answer
            self._serve()

    def _serve(self) -> None:
        while head := self.rfile.read(HEAD_BYTES):
            said, _ = parse_lengths(head)
            asked = json.loads(self.rfile.read(said))
            signal = threading.Event()
            answer = self._awaited(self._begun(asked, signal), signal)
            if answer is None:
                return
            send(self.connection, *answer)

    def _begun(self, asked: dict[str, Any], signal: cancellation.Signal) -> Future[tuple[Any, Any]]:
        context = contextvars.copy_context()
        context.run(cancellation.listen, signal)
        return self.server.pool.submit(context.run, answered, self.server.models, asked)

    def _awaited(self, answer: "Future[tuple[Any, Any]]", signal: cancellation.Signal) -> tuple[Any, Any] | None:
        """The answer; None once the caller has left, whose rows are then dropped."""
        while not wait([answer], timeout=TICK).done:
            if _has_left(self.connection):
                signal.set()
                answer.cancel()
                return None
        return answer.result()


def answered(models: Models, asked: dict[str, Any]) -> tuple[dict[str, Any], Any]:
    """The answer to one call; a model's error is part of it."""
    try:
        model = models(asked["role"])
        if asked["call"] == "describe":
            return {"facts": model and {name: getattr(model, name, None) for name in FACTS}}, None
        if asked["call"] not in CALLS:
            message = f"no call {asked['call']!r}"
            raise ValueError(message)
        return encoded(getattr(model, asked["call"])(*asked["arguments"]))
    except Exception as error:  # noqa: BLE001 - it belongs to the caller
        return {"error": type(error).__name__, "message": str(error)}, None


def _has_left(connection: socket.socket) -> bool:
    readable, _, _ = select.select([connection], [], [], 0)
    return bool(readable) and not connection.recv(1, socket.MSG_PEEK)


def _remove_abandoned(path: Path) -> None:
    """Remove the socket of a server that was killed. A server that answers keeps its socket."""
    if not path.is_socket():
        return
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
