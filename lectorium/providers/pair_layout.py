"""How a cross-encoder encodes text pairs as rows of tokens, and batches as tensors."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from .batching import padded
from .windowing import TokenWindow


@dataclass(frozen=True, slots=True)
class Pass:
    """One input row: a piece of text A and a window of passage B; `owner` is the index of the pair."""

    task: str
    owner: int
    piece: int
    query: list[int]
    window: TokenWindow
    ids: list[int]


@dataclass(frozen=True, slots=True)
class PairLayout:
    """A model's special tokens and batch shapes.

    longest: tokens per row by task, including special tokens. typed: whether the network takes token types. packed:
    whether it skips padding, so that rows of any lengths go well together.
    """

    first: int
    between: tuple[int, ...]
    last: int
    pad: int
    typed: bool
    longest: dict[str, int]
    packed: bool = False

    def room(self, task: str, query: Sequence[int]) -> int:
        """Tokens of a passage that fit beside this text A."""
        return self.longest[task] - len(self.between) - 2 - len(query)

    def length(self, row: Pass) -> int:
        return len(row.query) + len(row.ids) + len(self.between) + 2

    def width(self, row: Pass) -> int:
        """The tokens that a row takes in a batch."""
        return self.length(row) if self.packed else padded(self.length(row))

    def passage(self, row: Pass) -> slice:
        """The passage's tokens within a row."""
        first = 1 + len(row.query) + len(self.between)
        return slice(first, first + len(row.ids))

    def tensors(self, batch: Sequence[Pass]) -> dict[str, Tensor]:
        """The network's inputs, one row per pass."""
        ids = torch.full((len(batch), max(map(self.width, batch))), self.pad)
        mask = torch.zeros_like(ids)
        types = torch.zeros_like(ids)
        for i, row in enumerate(batch):
            length = self.length(row)
            ids[i, :length] = torch.tensor([self.first, *row.query, *self.between, *row.ids, self.last])
            mask[i, :length] = 1
            types[i, self.passage(row).start : length] = 1
        inputs = {"input_ids": ids, "attention_mask": mask}
        return inputs | {"token_type_ids": types} if self.typed else inputs
