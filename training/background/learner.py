"""A worker of the background job: takes steps, keeps a moving average of the weights, writes checkpoints."""

import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from lectorium.providers.cross_encoder_model import TASKS
from lectorium.providers.mpnet.network import MPNetNetwork
from training.background.bases import Network, TrainableBase, WarmStart
from training.background.config import JobConfig, JobFolder
from training.background.row_files import RowFile
from training.background.shapes import ShapedRows, mixed_rows, shaped_batch
from training.batches import UNKNOWN, Batch
from training.loop import in_bfloat16, optimizer_of
from training.losses import batch_loss

Tensors = dict[str, Tensor]


@dataclass
class JobProgress:
    """Progress over all starts of the job: steps of worker 0, pairs of all workers by task, seconds of training."""

    steps: int = 0
    seconds: float = 0.0
    pairs: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TASKS, 0))

    @property
    def total(self) -> int:
        """Pairs read so far."""
        return sum(self.pairs.values())


class Learner:
    """Trains the shared network. Worker 0 also keeps the average of the weights and the checkpoint."""

    def __init__(
        self,
        config: JobConfig,
        folder: JobFolder,
        base: TrainableBase,
        network: Network,
        tokenizer: Any,
        *,
        counts: Tensor,
        worker: int = 0,
    ) -> None:
        """The network is trained in place. counts: pairs read since this start, shared, shape (workers, tasks)."""
        self.config, self.folder, self.base = config, folder, base
        self.network, self.tokenizer = network, tokenizer
        self.counts, self.worker = counts, worker
        self.trained = base.trained(network)
        self.optimizer = optimizer_of(self.trained, config.weight_decay)
        self.average: Tensors = {name: parameter.detach().clone() for name, parameter in self.trained.items()}
        self.progress = JobProgress()
        self.steps = 0  # since this start
        self.recent: dict[str, list[float]] = defaultdict(list)
        self._since = time.monotonic()

    @property
    def device(self) -> torch.device:
        return next(iter(self.trained.values())).device

    def resume(self) -> bool:
        """Continue from the checkpoint; return False if there is none."""
        if not self.folder.checkpoint.exists():
            return False
        saved = torch.load(self.folder.checkpoint, weights_only=True, map_location=self.device)
        set_parameters(self.trained, saved["parameters"])
        self.average = saved["average"]
        self.optimizer.load_state_dict(saved["optimizer"])
        self.progress = JobProgress(**saved["progress"])
        return True

    def start_from(self, start: WarmStart) -> None:
        """Start from another run's parameters and pairs. Missing parameters keep their initial values."""
        known = {name: tensor for name, tensor in start.parameters.items() if name in self.trained}
        set_parameters(self.trained, known)
        self.progress.pairs |= start.pairs
        self.average = {name: parameter.detach().clone() for name, parameter in self.trained.items()}

    def rows(self, files: dict[str, RowFile]) -> Iterator[ShapedRows]:
        """This worker's rows, forever. After a resume they come in another order."""
        seed = self.config.seed + 1000 * self.progress.steps + self.worker
        return mixed_rows(self.config, files, self.tokenizer, seed)

    def step(self, shaped: ShapedRows) -> None:
        """Take one step on one batch of rows."""
        self.learn(shaped_batch(shaped, self.tokenizer))

    def learn(self, batch: Batch) -> None:
        """Take one step on one batch."""
        batch = batch.to(self.device)
        for group, rate in zip(self.optimizer.param_groups, self._rates(), strict=True):
            group["lr"] = rate
        with self.precision():
            logits = self.network(**batch.inputs, task=TASKS.index(batch.task))
        losses = batch_loss(
            logits, batch, span_weight=self.config.span_weight, evidence_weight=self.config.evidence_weight
        )
        self.steps += 1
        if not losses:
            return
        torch.stack(list(losses.values())).sum().backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.trained.values(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.counts[self.worker, TASKS.index(batch.task)] += int((batch.group != UNKNOWN).sum())
        for name, loss in losses.items():
            self.recent[name].append(loss.item())
        self.progress.steps += 1
        if self.worker == 0:
            self._update_average()

    def totals(self) -> JobProgress:
        """The progress including what all workers have read since this start."""
        since = self.counts.sum(0).tolist()
        pairs = {task: self.progress.pairs[task] + int(since[place]) for place, task in enumerate(TASKS)}
        return JobProgress(self.progress.steps, self.progress.seconds + time.monotonic() - self._since, pairs)

    def save(self) -> None:
        """Write the checkpoint atomically."""
        state = {
            "base": self.base.name,
            "parameters": {name: parameter.detach() for name, parameter in self.trained.items()},
            "average": self.average,
            "optimizer": self.optimizer.state_dict(),
            "progress": asdict(self.totals()),
        }
        self.folder.path.mkdir(parents=True, exist_ok=True)
        part = self.folder.checkpoint.with_suffix(".part")
        torch.save(state, part)
        part.replace(self.folder.checkpoint)

    def report(self) -> None:
        """Log the mean losses since the last report."""
        means = {name: round(sum(values) / len(values), 4) for name, values in self.recent.items()}
        self.recent.clear()
        now = self.totals()
        line = {"worker": self.worker, "minutes": round(now.seconds / 60, 1), "steps": self.progress.steps, **now.pairs}
        sys.stderr.write(json.dumps(line | {"loss": means}) + "\n")
        sys.stderr.flush()

    def precision(self) -> AbstractContextManager[object]:
        """The context of a forward pass: the big reader casts by itself, MiniLM is cast by torch."""
        return nullcontext() if isinstance(self.network, MPNetNetwork) else in_bfloat16(self.device)

    def _rates(self) -> tuple[float, float]:
        warm = min(1.0, (self.steps + 1) / self.config.warmup_steps) * self.config.rate_share
        return self.base.learning_rate * warm, self.base.head_learning_rate * warm

    def _update_average(self) -> None:
        steps = self.progress.steps
        keep = min(self.config.average_decay, (1 + steps) / (10 + steps))  # a new average follows quickly
        weights = [self.trained[name].detach() for name in self.average]
        torch._foreach_lerp_(list(self.average.values()), weights, 1 - keep)


def set_parameters(trained: dict[str, nn.Parameter], values: Tensors) -> None:
    """Copy values into the parameters of the same name, in place, so that other workers see them."""
    with torch.no_grad():
        for name, value in values.items():
            trained[name].copy_(value)


def write_json(path: Path, value: object) -> None:
    """Write a JSON file atomically."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(value) + "\n", encoding="utf-8")
    part.replace(path)
