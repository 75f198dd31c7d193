"""How a cross-encoder writes two texts as one row of tokens, and batches of such rows as tensors."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from .batching import padded
from .windowing import TokenWindow


@dataclass(frozen=True, slots=True)
class Pass:
    """One row for the network: a piece of text A and a window of passage B; `owner` is the pair it belongs to."""

    task: str
    owner: int
    piece: int
    query: list[int]
    window: TokenWindow
    ids: list[int]


@dataclass(frozen=True, slots=True)
class PairLayout:
    """The special tokens of a model and the shapes of its batches.

    longest: tokens of a row by task, special tokens included. typed: whether the network takes token types.
    widths, row_counts: the only widths and numbers of rows of a batch, ascending; empty where any multiple of a step,
    and any number, will do.
    """

    first: int
    between: tuple[int, ...]
    last: int
    pad: int
    typed: bool
    longest: dict[str, int]
    widths: tuple[int, ...] = field(default=())
    row_counts: tuple[int, ...] = field(default=())

    def room(self, task: str, query: Sequence[int]) -> int:
        """Return how many tokens of a passage fit beside this text A."""
        return self.longest[task] - len(self.between) - 2 - len(query)

    def length(self, row: Pass) -> int:
        """Return the tokens of a row, special tokens included."""
        return len(row.query) + len(row.ids) + len(self.between) + 2

    def width(self, row: Pass) -> int:
        """Return the width a row is padded to."""
        length = self.length(row)
        return next((width for width in self.widths if length <= width), padded(length))

    def passage(self, row: Pass) -> slice:
        """Return where the passage's tokens stand in a row."""
        first = 1 + len(row.query) + len(self.between)
        return slice(first, first + len(row.ids))

    def tensors(self, batch: Sequence[Pass]) -> dict[str, Tensor]:
        """Return the network's inputs: one row a pass, then empty rows up to the next number in `row_counts`."""
        rows = next((count for count in self.row_counts if len(batch) <= count), len(batch))
        ids = torch.full((rows, max(map(self.width, batch))), self.pad)
        mask = torch.zeros_like(ids)
        types = torch.zeros_like(ids)
        mask[:, 0] = 1
        for i, row in enumerate(batch):
            length = self.length(row)
            ids[i, :length] = torch.tensor([self.first, *row.query, *self.between, *row.ids, self.last])
            mask[i, :length] = 1
            types[i, self.passage(row).start : length] = 1
        inputs = {"input_ids": ids, "attention_mask": mask}
        return inputs | {"token_type_ids": types} if self.typed else inputs
