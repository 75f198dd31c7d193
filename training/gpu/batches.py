"""Groups as padded tensors, in the layout of the big or of the small reader."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lectorium.providers.pair_layout import PairLayout
from training.batches import UNKNOWN, Batch
from training.gpu.tokens import TokenGroup

BERT_SHIFT = 4  # all-mpnet-base-v2 has BERT's vocabulary behind four tokens of its own
STEP = 8  # widths are multiples of it


@dataclass(frozen=True, slots=True)
class GroupBatch:
    """Groups of one task as a batch of pairs; `batch.group` is the index of a pair's group.

    answered: (groups,) in {-1 unknown, 0, 1}: does any passage answer?
    """

    batch: Batch
    answered: Tensor

    @property
    def groups(self) -> int:
        return len(self.answered)


def narrowed(group: TokenGroup, most: int, rng: random.Random) -> TokenGroup:
    """The group with at most `most` passages: the relevant ones and others drawn at random."""
    if len(group.passages) <= most:
        return group
    relevant = [place for place, known in enumerate(group.relevant) if known == 1]
    others = [place for place, known in enumerate(group.relevant) if known != 1]
    return group.narrowed([*relevant, *rng.sample(others, max(0, min(len(others), most - len(relevant))))])


def group_batch(groups: Sequence[TokenGroup], layout: PairLayout, device: torch.device) -> GroupBatch:
    """The groups' pairs on the device, padded to the longest."""
    pairs = [(number, group, place) for number, group in enumerate(groups) for place in range(len(group.passages))]
    gap = len(layout.between)
    lengths = [len(group.query) + gap + len(group.passages[place]) + 2 for _, group, place in pairs]
    shape = (len(pairs), -(-max(lengths) // STEP) * STEP)
    ids, mask, types = np.full(shape, layout.pad), np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    evidence, passage = np.full(shape, UNKNOWN), np.zeros(shape, dtype=bool)
    spans = np.full((len(pairs), 2), UNKNOWN)
    shift = BERT_SHIFT if layout.typed else 0
    for row, (_, group, place) in enumerate(pairs):
        query, text = group.query - shift, group.passages[place] - shift
        first, last = 1 + len(query) + gap, lengths[row]
        ids[row, 0], ids[row, first - gap : first], ids[row, last - 1] = layout.first, layout.between, layout.last
        ids[row, 1 : 1 + len(query)], ids[row, first : last - 1] = query, text
        mask[row, :last], types[row, first:last], passage[row, first : last - 1] = 1, 1, True
        span = group.spans[place]
        if span:
            spans[row] = first + span[0], first + span[1]
        if group.evidence is not None:
            evidence[row, first : last - 1] = group.evidence

    def tensor(values: NDArray[np.generic] | list[int]) -> Tensor:
        return torch.from_numpy(np.asarray(values)).to(device, non_blocking=True)

    inputs = {"input_ids": tensor(ids), "attention_mask": tensor(mask)}
    batch = Batch(
        task=groups[0].task,
        inputs=inputs | {"token_type_ids": tensor(types)} if layout.typed else inputs,
        group=tensor([number for number, _, _ in pairs]),
        relevant=tensor([group.relevant[place] for _, group, place in pairs]),
        answerable=tensor([group.answerable[place] for _, group, place in pairs]),
        label=tensor([group.label for _, group, _ in pairs]),
        start=tensor(spans[:, 0].copy()),
        end=tensor(spans[:, 1].copy()),
        evidence=tensor(evidence),
        passage=tensor(passage),
    )
    return GroupBatch(batch, tensor([group.answered for group in groups]))
