"""Models that another process computes (LECTORIUM_INFERENCE), so that several processes hold them in memory once."""

import json
import os
import socket
import threading
import time
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from django.conf import settings

from lectorium.providers import cancellation, errors
from lectorium.providers.protocols import Embedder, Judgement, Matrix, Reading, TokenSpans

from .frames import HEAD_BYTES, decoded, parse_lengths, send

PATIENCE = 120.0  # seconds for a call; a batch of an index run takes many
CONNECT_SECONDS = 5.0
PASSAGES = 64  # embedded by one call, about a second's work
TICK = 0.1  # seconds between looks at the caller's stop signal
EMBEDDER = "embedder "  # role of an embedder: this and its name
_serves = False


def in_use() -> bool:
    """Whether models are those of another process."""
    return bool(settings.INFERENCE) and not _serves


def compute_here() -> None:
    """Let this process compute itself: it is the one that serves the others."""
    global _serves
    _serves = True


class _Gone(errors.Unreachable):
    """A connection that was kept has been closed: the process has started again."""


class ModelLink:
    """Connections to the model process, each with one call at a time."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._idle: list[socket.socket] = []
        self._facts: dict[str, dict[str, Any] | None] = {}
        self._lock = threading.Lock()
        os.register_at_fork(after_in_child=self._begin_anew)

    def call(self, role: str, call: str, *arguments: Any) -> Any:
        """The result. Raises ProviderError, and StoppedError once this context's stop signal is set."""
        message, numbers = self._asked({"role": role, "call": call, "arguments": arguments})
        return decoded(message, numbers)

    def facts(self, role: str) -> dict[str, Any] | None:
        """What the process says of its model of this role; None where it has none. Asked for once a process."""
        if role not in self._facts:
            self._facts[role] = self._asked({"role": role, "call": "describe"})[0]["facts"]
        return self._facts[role]

    def _asked(self, request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        with self._lock:
            kept = self._idle.pop() if self._idle else None
        if kept:
            try:
                return self._exchanged(kept, request)
            except _Gone:
                self._forget()
        return self._exchanged(self._connected(), request)

    def _connected(self) -> socket.socket:
        """A new connection; a process that starts just now is waited for."""
        until = time.monotonic() + CONNECT_SECONDS
        while True:
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.connect(self._path)
            except OSError as error:
                connection.close()
                if time.monotonic() > until:
                    raise errors.Unreachable(f"the model process at {self._path}: {error.strerror}") from None
                cancellation.check(TICK)
            else:
                return connection

    def _exchanged(self, connection: socket.socket, request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        """The answer; the connection is kept for the next call unless this one fails."""
        until = time.monotonic() + PATIENCE
        try:
            connection.settimeout(PATIENCE)
            send(connection, request)
            connection.settimeout(TICK)
            said, numbers = parse_lengths(_received(connection, HEAD_BYTES, until))
            message = json.loads(_received(connection, said, until))
            rest = _received(connection, numbers, until)
        except OSError as error:
            connection.close()
            raise _Gone(f"the model process at {self._path}: {error}") from None
        except BaseException:
            connection.close()
            raise
        with self._lock:
            self._idle.append(connection)
        if "error" in message:
            kind = getattr(errors, message["error"], None)
            is_ours = isinstance(kind, type) and issubclass(kind, errors.ProviderError)
            fault: type[errors.ProviderError] = kind if is_ours and kind else errors.ServerFault
            raise fault(f"the model process: {message['message']}")
        return message, rest

    def _begin_anew(self) -> None:
        """In a forked process: the connections are its parent's, and a thread that is not there may hold the lock."""
        self._lock = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        with self._lock:
            idle, self._idle, self._facts = self._idle, [], {}
        for connection in idle:
            connection.close()


def _received(connection: socket.socket, length: int, until: float) -> bytes:
    """This many bytes. Raises OSError where the connection ends before."""
    said = bytearray()
    while len(said) < length:
        cancellation.check()
        try:
            piece = connection.recv(min(length - len(said), 1 << 20))
        except TimeoutError:
            if time.monotonic() > until:
                raise errors.TooSlow(f"the model process did not answer in {PATIENCE:g} s") from None
            continue
        if not piece:
            raise ConnectionResetError("it closed the connection")
        said += piece
    return bytes(said)


class SharedCrossEncoder:
    """Reader, verifier or judge of rewordings of the model process."""

    def __init__(self, link: ModelLink, role: str) -> None:
        self._link, self._role = link, role

    @property
    def name(self) -> str:
        return str(self._fact("name"))

    @property
    def passed_bar(self) -> bool:
        return bool(self._fact("passed_bar"))

    def read(self, question: str, passages: Sequence[str]) -> list[Reading]:
        found: list[Reading] = self._link.call(self._role, "read", question, [*passages])
        return found

    def rerank(self, question: str, passages: Sequence[str]) -> list[float]:
        return [reading.relevance for reading in self.read(question, passages)]

    def verify(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        found: list[Judgement] = self._link.call(self._role, "verify", [*map(list, pairs)])
        return found

    def same(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        found: list[float] = self._link.call(self._role, "same", [*map(list, pairs)])
        return found

    def _fact(self, name: str) -> Any:
        return (self._link.facts(self._role) or {}).get(name)


class SharedEmbedder:
    """An embedder of the model process; tokens are counted here, which needs no weights."""

    def __init__(self, link: ModelLink, own: Embedder) -> None:
        self.name = own.name
        self._link, self._own = link, own

    @property
    def width(self) -> int:
        return self._own.width

    @property
    def max_tokens(self) -> int:
        return self._own.max_tokens

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """In small calls, so that readers' questions need not wait for the batches of an index run."""
        vectors = np.zeros((len(texts), self.width), dtype=np.float32)
        by_length = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        for at in range(0, len(texts), PASSAGES):
            places = by_length[at : at + PASSAGES]
            vectors[places] = self._embedded("embed_passages", [texts[place] for place in places])
        return vectors

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        return self._embedded("embed_questions", texts)

    def token_spans(self, text: str) -> TokenSpans:
        return self._own.token_spans(text)

    def _embedded(self, call: str, texts: Sequence[str]) -> Matrix:
        found: Matrix = self._link.call(EMBEDDER + self.name, call, [*texts])
        return found


@cache
def _link(path: str) -> ModelLink:
    return ModelLink(path)


def shared_model(role: str) -> SharedCrossEncoder | None:
    """The process's model of a role, "reader", "clip_reader", "verifier" or "rewording_judge"; None if not installed.

    Raises ProviderError.
    """
    link = _link(settings.INFERENCE)
    return SharedCrossEncoder(link, role) if link.facts(role) else None


def shared_embedder(own: Embedder) -> SharedEmbedder:
    """An embedder like `own` that the process computes."""
    return SharedEmbedder(_link(settings.INFERENCE), own)
