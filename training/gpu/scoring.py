"""Scores of groups by a network."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from lectorium.providers.cross_encoder_model import TASKS
from lectorium.providers.pair_layout import PairLayout
from training.background.bases import Network
from training.background.evaluation import support_logit
from training.gpu.batches import group_batch
from training.gpu.mixture import cut_by_tokens
from training.gpu.networks import precision
from training.gpu.tokens import TokenGroup

SCORED_TOKENS = 131_072  # of a batch, with padding


@dataclass(frozen=True, slots=True)
class GroupScores:
    """The logits of a group's passages, (passages,) each."""

    relevance: NDArray[np.float32]
    answerability: NDArray[np.float32]
    support: NDArray[np.float32]


@torch.no_grad()
def group_scores(
    network: Network, groups: Sequence[TokenGroup], layout: PairLayout, device: torch.device
) -> list[GroupScores]:
    """The scores of each group, in order."""
    places = {id(group): place for place, group in enumerate(groups)}
    ordered = sorted(groups, key=lambda group: (group.task, group.longest))
    found: dict[int, GroupScores] = {}
    for part in cut_by_tokens(ordered, SCORED_TOKENS):
        batch = group_batch(part, layout, device).batch
        with precision(network, device):
            logits = network(**batch.inputs, task=TASKS.index(batch.task))
        columns = (
            torch.stack([logits.relevance, logits.answerability, support_logit(logits.grounding)]).float().cpu().numpy()
        )
        numbers = batch.group.cpu().numpy()
        for number, group in enumerate(part):
            found[places[id(group)]] = GroupScores(*columns[:, numbers == number])
    return [found[place] for place in range(len(groups))]
