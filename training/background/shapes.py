"""Batches in a few fixed (rows, width) shapes, since every new shape compiles bfloat16 code."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import pad

from training.background.config import JobConfig
from training.background.row_files import RowFile, RowStream
from training.batches import UNKNOWN, Batch, collate, pairs_of
from training.rows import ReadingRow, Row

LABELS = ("group", "relevant", "answerable", "label", "start", "end", "evidence")
AHEAD = 3  # batches' worth of rows to choose from when packing competing passages


@dataclass(frozen=True, slots=True)
class ShapedRows:
    """Rows for one fixed shape. If they have fewer pairs than `rows`, the batch is padded."""

    rows: list[Row]
    width: int
    pairs: int


def token_counter(tokenizer: Any, longest: int) -> Callable[[Row], int]:
    """A function that returns the tokens of a row's longest pair, at most `longest`."""

    def tokens_of(row: Row) -> int:
        pairs = pairs_of(row, 0)
        encoded = tokenizer(
            [pair["a"] for pair in pairs], [pair["b"] for pair in pairs], truncation=True, max_length=longest
        )
        return max(map(len, encoded["input_ids"]))

    return tokens_of


def shaped_rows(
    config: JobConfig, draw: Callable[[], Row], tokens_of: Callable[[Row], int], rng: random.Random
) -> Iterator[ShapedRows]:
    """Rows for one batch at a time, forever. Rows wait with others of their width until they fill a batch."""
    waiting: dict[int, list[Row]] = {width: [] for width in config.widths}
    while True:
        row = draw()
        tokens = tokens_of(row)
        if tokens > config.long and rng.random() > config.long_share:
            continue
        width = next(width for width in config.widths if tokens <= width)
        room = config.rows_at(width)
        waiting[width].append(_narrowed(row, room))
        if sum(map(size_of, waiting[width])) >= room * (AHEAD if isinstance(row, ReadingRow) else 1):
            yield ShapedRows(_packed(waiting[width], room), width, room)


def mixed_rows(config: JobConfig, files: dict[str, RowFile], tokenizer: Any, seed: int) -> Iterator[ShapedRows]:
    """Rows for one batch at a time, forever, in the configured mixture of tasks."""
    rng = random.Random(seed)
    tokens_of = token_counter(tokenizer, config.widths[-1])
    streams = {}
    for task, weights in {"reading": config.reading, "grounding": config.grounding}.items():
        sources = {name: file for name, file in files.items() if name in weights}
        streams[task] = shaped_rows(config, RowStream(sources, weights, rng).draw, tokens_of, rng)
    while True:
        task = "reading" if rng.random() < config.reading_share else "grounding"
        yield next(streams[task])


def size_of(row: Row) -> int:
    """The number of pairs of a row: its passages, or one claim."""
    return len(row.passages) if isinstance(row, ReadingRow) else 1


def shaped_batch(shaped: ShapedRows, tokenizer: Any) -> Batch:
    """Tokenize rows into a batch of exactly their shape. Padding pairs have no labels."""
    batch = collate(shaped.rows, tokenizer, shaped.width, width=shaped.width)
    missing = shaped.pairs - len(batch.group)
    if missing <= 0:
        return batch

    def filled(tensor: Tensor, value: int) -> Tensor:
        return pad(tensor, (0,) * (2 * tensor.dim() - 1) + (missing,), value=value)

    return Batch(
        task=batch.task,
        inputs={name: torch.cat([tensor, tensor[-1:].repeat(missing, 1)]) for name, tensor in batch.inputs.items()},
        passage=filled(batch.passage, 0),
        **{name: filled(getattr(batch, name), UNKNOWN) for name in LABELS},
    )


def _packed(waiting: list[Row], room: int) -> list[Row]:
    """Remove rows from `waiting`, oldest first, that fill up to `room` pairs."""
    chosen: list[Row] = []
    left = room
    for row in list(waiting):
        if size_of(row) <= left:
            chosen.append(row)
            left -= size_of(row)
    for row in chosen:
        waiting.remove(row)
    return chosen


def _narrowed(row: Row, room: int) -> Row:
    """Drop the last irrelevant passages of a question with more passages than a batch has rows."""
    if not isinstance(row, ReadingRow) or len(row.passages) <= room:
        return row
    ordered = sorted(row.passages, key=lambda passage: not passage.relevant)
    return replace(row, passages=ordered[:room])
