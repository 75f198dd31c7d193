"""Messages between the processes: JSON, followed by the numbers of a matrix. Nothing that is received is executed."""

import json
import socket
import struct
from dataclasses import astuple
from typing import Any

import numpy as np

from lectorium.providers.protocols import Judgement, Matrix, Reading

MOST_BYTES = 512 << 20  # of a message
_LENGTHS = struct.Struct("!II")  # of the JSON and of the matrix, in bytes
_ROWS = {"Reading": Reading, "Judgement": Judgement}
CALLS = ("embed_passages", "embed_questions", "read", "rerank", "verify", "same")
FACTS = ("name", "passed_bar")


def send(connection: socket.socket, message: dict[str, Any], matrix: Matrix | None = None) -> None:
    said = json.dumps(message).encode()
    numbers = b"" if matrix is None else np.ascontiguousarray(matrix, dtype="<f4").tobytes()
    connection.sendall(_LENGTHS.pack(len(said), len(numbers)) + said + numbers)


def parse_lengths(head: bytes) -> tuple[int, int]:
    """The lengths of the two parts that follow. Raises ValueError for a message that is too long."""
    said, numbers = _LENGTHS.unpack(head)
    if said + numbers > MOST_BYTES:
        message = f"a message of {said + numbers} bytes"
        raise ValueError(message)
    return said, numbers


HEAD_BYTES = _LENGTHS.size


def encoded(result: Any) -> tuple[dict[str, Any], Matrix | None]:
    """A model's result as a message."""
    if isinstance(result, np.ndarray):
        return {"shape": result.shape}, result
    kind = type(result[0]).__name__ if result else ""
    if kind in _ROWS:
        return {"kind": kind, "rows": [astuple(row) for row in result]}, None
    return {"kind": "", "rows": [float(row) for row in result]}, None


def decoded(message: dict[str, Any], numbers: bytes) -> Any:
    """The result in a message. Raises KeyError, TypeError or ValueError where it holds none."""
    if "shape" in message:
        return np.frombuffer(numbers, dtype="<f4").reshape(message["shape"]).astype(np.float32)
    made = _ROWS.get(message["kind"])
    return [made(*map(_span, row)) for row in message["rows"]] if made else list(map(float, message["rows"]))


def _span(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
