"""The loop of a run: steps until its seconds are over, with rates that warm up and then fall to zero."""

import json
import sys
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import torch
from torch import Tensor, nn

from lectorium.providers.cross_encoder_model import TASKS
from training.batches import Batch
from training.gpu.settings import RunSettings
from training.loop import optimizer_of

WARMUP_STEPS = 60
WEIGHT_DECAY = 0.01
LOGGED = 20  # steps between two recorded losses, and recorded losses of a mean
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What a run came to. pairs: read, by task. losses: their means over the last recorded steps."""

    steps: int
    seconds: float
    pairs: dict[str, int]
    losses: dict[str, float]


def rate_factor(step: int, share: float, cool_down: float) -> float:
    """The factor of the rates at a step, from 0, and a share 0..1 of the run's seconds."""
    return min(1.0, (step + 1) / WARMUP_STEPS) * min(1.0, max(0.0, 1 - share) / cool_down)


def learn(
    parameters: dict[str, nn.Parameter],
    steps: Iterator[Made],
    losses_of: Callable[[Made], tuple[dict[str, Tensor], Batch]],
    settings: RunSettings,
    seconds: float,
) -> RunFacts:
    """Train the parameters in place for some seconds. losses_of: the losses of a step and the batch it read."""
    optimizer = optimizer_of(parameters, WEIGHT_DECAY)
    began, step, share = time.monotonic(), 0, 0.0
    pairs = dict.fromkeys(TASKS, 0)
    recent: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=LOGGED))
    for made in steps:
        share = (time.monotonic() - began) / seconds
        if share >= 1:
            break
        factor = rate_factor(step, share, settings.cool_down)
        for group, rate in zip(optimizer.param_groups, (settings.rate, settings.head_rate), strict=True):
            group["lr"] = rate * factor
        losses, batch = losses_of(made)
        if not losses:
            continue
        torch.stack(list(losses.values())).sum().backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(parameters.values(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        pairs[batch.task] += len(batch.group)
        if step % LOGGED == 0:
            for name, loss in losses.items():
                recent[name].append(loss.item())
        step += 1
    means = {name: round(sum(values) / len(values), 3) for name, values in recent.items()}
    return RunFacts(step, round(time.monotonic() - began, 1), pairs, means)


def log(**facts: object) -> None:
    """Write a line of JSON to standard output at once."""
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()
