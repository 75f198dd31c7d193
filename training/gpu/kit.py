"""The files of a kit: JSON lines in xz, the base in pieces, the weights that runs start from."""

import hashlib
import json
import lzma
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load, save
from torch import Tensor

from lectorium.providers.cross_encoder_weights import pack, unpack
from training.rows import Row, Split, parse_row

PIECE = 50  # MiB; a call carries at most 64, and the rest of the kit takes up to 57
LARGE = 400_000  # values; smaller tensors stay in half precision
ADAPTER = "adapter.safetensors"
QUESTIONS = "questions.safetensors"
SMALL = "cross_encoder.safetensors"
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PoolPassage:
    """A passage that questions are searched in. spoken: of a lecture, where other passages may answer too."""

    text: str
    spoken: bool


@dataclass(frozen=True, slots=True)
class PoolQuestion:
    """A question, its passage's index in the pool, and the answer's characters there; None without an answer."""

    question: str
    passage: int
    span: Span | None
    split: Split
    source: str


@dataclass(frozen=True, slots=True)
class DevelopmentQuestion:
    """A natural development question. real: about real lectures, else about the samples.

    answers: the sentences that answer, and others that do so by themselves.
    """

    id: str
    question: str
    real: bool
    answerable: bool
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DevelopmentClaim:
    """A hand-written development claim with its evidence."""

    claim: str
    evidence: str
    label: str
    kind: str


def write_objects(folder: Path, name: str, values: Iterable[Any]) -> int:
    """Write dataclasses or plain values as NAME.jsonl.xz; return their number."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    with lzma.open(folder / f"{name}.jsonl.xz", "wt", encoding="utf-8", preset=4) as out:
        for value in values:
            plain = value if isinstance(value, dict | str) else asdict(value)
            out.write(json.dumps(plain, ensure_ascii=False) + "\n")
            count += 1
    return count


def read_texts(folder: Path, name: str) -> Iterator[str]:
    """The lines of NAME.jsonl.xz."""
    with lzma.open(folder / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
        yield from lines


def read_objects(folder: Path, name: str) -> list[Any]:
    return [json.loads(line) for line in read_texts(folder, name)]


def read_kit_rows(folder: Path, name: str) -> list[Row]:
    return [parse_row(line) for line in read_texts(folder, name)]


def read_pool(folder: Path) -> tuple[list[PoolQuestion], list[PoolPassage]]:
    """The questions and the passages that they are searched in."""
    questions = [
        PoolQuestion(**{**row, "span": tuple(row["span"]) if row["span"] else None})
        for row in read_objects(folder, "questions")
    ]
    return questions, [PoolPassage(**row) for row in read_objects(folder, "passages")]


def read_development_questions(folder: Path) -> list[DevelopmentQuestion]:
    rows = read_objects(folder, "natural")
    return [DevelopmentQuestion(**{**row, "answers": tuple(row["answers"])}) for row in rows]


def write_base(folder: Path, weights: dict[str, Tensor], *, piece: int = PIECE) -> list[Path]:
    """Write the base compressed, matrices in int8 with a scale per row, in pieces of `piece` MiB; return the pieces."""
    large = {name for name, weight in weights.items() if weight.ndim == 2 and weight.numel() > LARGE}
    small = {name: weight.half().contiguous() for name, weight in weights.items() if name not in large}
    stored = save(pack({name: weights[name] for name in large}) | small)
    packed = zlib.compress(stored)
    step = piece * 2**20
    pieces = []
    for number, first in enumerate(range(0, len(packed), step), start=1):
        pieces.append(folder / f"base-{number}")
        pieces[-1].write_bytes(packed[first : first + step])
    (folder / "base.sha256").write_text(hashlib.sha256(packed).hexdigest() + "\n", encoding="utf-8")
    return pieces


def read_base(kit: Path, pieces: Path) -> dict[str, Tensor]:
    """The base's weights in float32 from the pieces in a folder. Raises SystemExit if a piece is missing."""
    packed = b"".join(piece.read_bytes() for piece in sorted(pieces.glob("base-*")))
    if hashlib.sha256(packed).hexdigest() != (kit / "base.sha256").read_text(encoding="utf-8").strip():
        raise SystemExit(f"The pieces in {pieces} do not match their checksum: copy the missing ones, then try again.")
    return unpack(load(zlib.decompress(packed)), torch.float32)
