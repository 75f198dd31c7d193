"""Trains LoRA and a head on all-mpnet-base-v2, starting from the big reader's adapter, which knows entailment."""

import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from lectorium.providers.mpnet.adapter import load_adapter
from lectorium.providers.mpnet.base import load_base_network
from lectorium.providers.mpnet.rewordings import RewordingNetwork
from lectorium.providers.precision import dtype_of
from training.annealing import annealed_steps
from training.background.bases import ADAPTER
from training.rewordings.pairs import QuestionGroup, QuestionPair, epoch_of


@dataclass(frozen=True, slots=True)
class RewordingConfig:
    """batch: pairs a step. smoothing: how far labels stand from 0 and 1."""

    rate: float = 2e-4
    head_rate: float = 5e-4
    batch: int = 24
    epochs: int = 2
    warmup: int = 40
    smoothing: float = 0.02
    seed: int = 3


def new_network(base: Path, seed: int) -> RewordingNetwork:
    """A network with the big reader's adapter and a new head."""
    torch.manual_seed(seed)
    whole = load_base_network(base, dtype_of("auto"))
    load_adapter(whole, ADAPTER)
    return RewordingNetwork.on(base, whole)


def train(network: RewordingNetwork, groups: Sequence[QuestionGroup], config: RewordingConfig) -> None:
    """Train in place on the groups of split "train"; reports the AUROC of the others on standard error."""
    torch.set_num_threads(1)  # beside other work a second thread gains nothing
    rng = random.Random(config.seed)
    learning = [group for group in groups if group.split == "train"]
    held = epoch_of([group for group in groups if group.split == "calibrate"], rng)
    batches: list[list[QuestionPair]] = []
    for _ in range(config.epochs):
        batches += _batches(epoch_of(learning, rng), config, rng)
    optimizer = torch.optim.AdamW(_parameters(network, config), weight_decay=0.01, betas=(0.9, 0.98))
    started, losses = time.monotonic(), []

    def loss_of(batch: Sequence[QuestionPair]) -> Tensor:
        return _loss(network, batch, config)

    for step, loss in annealed_steps(optimizer, batches, loss_of, warmup=config.warmup):
        losses.append(loss)
        if step % 200 == 0 or step == len(batches):
            mean, seconds = sum(losses[-200:]) / len(losses[-200:]), time.monotonic() - started
            found = f"loss {mean:.3f}, AUROC {auroc(network, held):.3f}, {seconds:.0f} s"
            sys.stderr.write(f"step {step}/{len(batches)}: {found}\n")


def _parameters(network: RewordingNetwork, config: RewordingConfig) -> list[dict[str, object]]:
    adapter = [parameter for name, parameter in network.trained() if not name.startswith("head")]
    return [{"params": adapter, "lr": config.rate}, {"params": list(network.head.parameters()), "lr": config.head_rate}]


def _batches(pairs: Sequence[QuestionPair], config: RewordingConfig, rng: random.Random) -> list[list[QuestionPair]]:
    """Batches of pairs of like length, in random order."""
    order = sorted(pairs, key=lambda pair: len(pair.question) + len(pair.other) + 40 * rng.random())
    batches = [order[first : first + config.batch] for first in range(0, len(order), config.batch)]
    rng.shuffle(batches)
    return batches


def _loss(network: RewordingNetwork, batch: Sequence[QuestionPair], config: RewordingConfig) -> Tensor:
    wanted = torch.tensor([abs(pair.same - config.smoothing) for pair in batch])
    return binary_cross_entropy_with_logits(network([(pair.question, pair.other) for pair in batch]), wanted)


@torch.no_grad()
def auroc(network: RewordingNetwork, held: Sequence[QuestionPair]) -> float:
    """AUROC of the log odds; not a number where all pairs are of one kind."""
    from sklearn.metrics import roc_auc_score

    if len({pair.same for pair in held}) < 2:
        return float("nan")
    logits: list[float] = []
    for first in range(0, len(held), 64):
        logits += network([(pair.question, pair.other) for pair in held[first : first + 64]]).tolist()
    return float(roc_auc_score([pair.same for pair in held], logits))
