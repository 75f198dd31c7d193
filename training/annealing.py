"""A short run on fixed batches, whose learning rate rises for a few steps and then falls to a twentieth."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from torch import Tensor, nn
from torch.optim import Optimizer

LEAST = 0.05  # share of the rate at the end
Examples = TypeVar("Examples")


def annealed_steps(
    optimizer: Optimizer, batches: Sequence[Examples], loss_of: Callable[[Examples], Tensor], *, warmup: int
) -> Iterator[tuple[int, float]]:
    """Take a step on each batch; yields its number, from 1, and its loss. warmup: steps until the rate is whole."""
    rates = [group["lr"] for group in optimizer.param_groups]
    trained: list[nn.Parameter] = [parameter for group in optimizer.param_groups for parameter in group["params"]]
    for step, batch in enumerate(batches, start=1):
        share = min(1.0, step / warmup) * max(LEAST, 1 - step / len(batches))
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = rate * share
        loss = loss_of(batch)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        yield step, loss.item()
