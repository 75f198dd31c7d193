"""The training loop: a wall-clock budget, checkpoints every few minutes, and resuming from them."""

import json
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from lectorium.providers.cross_encoder_model import TASKS, CrossEncoderNetwork
from lectorium.providers.precision import dtype_of
from training.batches import Sampler, batches, collate
from training.config import TrainingConfig
from training.losses import batch_loss
from training.rows import Row, parse_row

ROWS_A_SOURCE = 30_000  # more than a run on two cores reads


@dataclass
class TrainingProgress:
    """Part of a checkpoint: a worker's training time and steps over all resumes.

    pairs: pairs by task, summed over workers, at the checkpoint the run resumed from.
    """

    seconds: float = 0.0
    steps: int = 0
    pairs: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TASKS, 0))


class Trainer:
    def __init__(
        self,
        config: TrainingConfig,
        network: CrossEncoderNetwork,
        tokenizer: Any,
        *,
        worker: int = 0,
        counts: Tensor | None = None,
    ) -> None:
        """The network is trained in place.

        counts: shared tensor (workers, tasks) of the pairs each worker has read; None for a single worker.
        """
        self.config = config
        self.worker = worker
        self.network = network
        self.tokenizer = tokenizer
        self.counts = no_pairs(worker + 1) if counts is None else counts
        self.progress = TrainingProgress()
        self.optimizer = _optimizer(config, network)
        self.checkpoint = config.run / "checkpoint.pt"
        self.recent: dict[str, list[float]] = defaultdict(list)

    def resume(self) -> None:
        """Continue from the run's checkpoint if it exists."""
        if not self.checkpoint.exists():
            return
        saved = torch.load(self.checkpoint, weights_only=True, map_location=_device(self.network))
        self.network.load_state_dict(saved["network"])
        sizes = [len(group["params"]) for group in self.optimizer.param_groups]
        if sizes == [len(group["params"]) for group in saved["optimizer"]["param_groups"]]:
            self.optimizer.load_state_dict(saved["optimizer"])  # if other layers were frozen, the moments do not fit
        self.progress = TrainingProgress(**saved["progress"])

    def run(self) -> None:
        """Train until the budget is spent, then write a final checkpoint."""
        seed = self.config.seed + 1000 * self.progress.steps + self.worker
        streams = _streams(self.config, random.Random(seed))
        chooser = random.Random(seed)
        budget = self.config.loop.budget_minutes * 60
        saved_at = last = time.monotonic()
        self.network.train()
        while self.progress.seconds < budget:
            tasks = [self._task(chooser) for _ in range(self.config.loop.accumulate)]
            self.step([(task, next(streams[task])) for task in tasks], self.progress.seconds / budget)
            now = time.monotonic()
            self.progress.seconds += now - last
            last = now
            if now - saved_at > self.config.loop.checkpoint_minutes * 60:
                self._report()
                saved_at = time.monotonic()
        self._report()

    def _task(self, chooser: random.Random) -> str:
        return "reading" if chooser.random() < self.config.loop.reading_share else "grounding"

    def step(self, drawn: Sequence[tuple[str, list[Row]]], share: float) -> None:
        """One step on the mean gradient of the batches, each of one task. share: of the budget spent, 0..1."""
        peaks = (self.config.loop.learning_rate, self.config.loop.head_learning_rate)
        for group, peak in zip(self.optimizer.param_groups, peaks, strict=True):
            group["lr"] = peak * schedule(share, self.config.loop.warmup_share)
        learned = [self._learn(task, rows, 1 / len(drawn)) for task, rows in drawn]
        if not any(learned):
            return
        nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.progress.steps += 1

    def _learn(self, task: str, rows: list[Row], weight: float) -> bool:
        """Add a batch's gradients, times `weight`; return whether any loss applied."""
        device = _device(self.network)
        batch = collate(rows, self.tokenizer, self.config.max_tokens).to(device)
        with in_bfloat16(device):
            logits = self.network(**batch.inputs, task=TASKS.index(task))
        losses = batch_loss(
            logits,
            batch,
            span_weight=self.config.loop.span_weight,
            evidence_weight=self.config.loop.evidence_weight,
        )
        if not losses:
            return False
        (weight * torch.stack(list(losses.values())).sum()).backward()  # type: ignore[no-untyped-call]
        self.counts[self.worker, TASKS.index(task)] += len(batch.group)
        for name, loss in losses.items():
            self.recent[name].append(loss.item())
        return True

    def pairs(self) -> dict[str, int]:
        """Pairs by task, summed over workers and resumes."""
        since = self.counts.sum(0).tolist()
        return {task: self.progress.pairs[task] + since[place] for place, task in enumerate(TASKS)}

    def _report(self) -> None:
        self._log()
        if self.worker == 0:
            self.save()

    def save(self) -> None:
        """Write the checkpoint atomically."""
        self.checkpoint.parent.mkdir(parents=True, exist_ok=True)
        part = self.checkpoint.with_suffix(".part")
        state = {
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "progress": {
                "seconds": self.progress.seconds,
                "steps": self.progress.steps,
                "pairs": self.pairs(),
            },
        }
        torch.save(state, part)
        part.replace(self.checkpoint)

    def _log(self) -> None:
        means = {name: round(sum(values) / len(values), 4) for name, values in self.recent.items() if values}
        self.recent.clear()
        line = {
            "worker": self.worker,
            "minutes": round(self.progress.seconds / 60, 1),
            "steps": self.progress.steps,
            **self.pairs(),
        }
        sys.stderr.write(json.dumps(line | {"loss": means}) + "\n")
        sys.stderr.flush()


def no_pairs(workers: int) -> Tensor:
    """A counter of pairs, shape (workers, tasks), with a row per worker, so that concurrent updates are not lost."""
    return torch.zeros(workers, len(TASKS), dtype=torch.long)


def schedule(share: float, warmup: float) -> float:
    """The learning rate's factor at a share 0..1 of the budget: linear warm-up, then linear decay."""
    if share < warmup:
        return max(0.02, share / warmup)
    return max(0.005, (1 - share) / (1 - warmup))


def _optimizer(config: TrainingConfig, network: CrossEncoderNetwork) -> torch.optim.Optimizer:
    # Frozen: the word embeddings, three fifths of the parameters, and the lowest layers are already well trained.
    for module in (network.encoder.embeddings, *network.encoder.layers()[: config.loop.frozen_layers]):
        module.requires_grad_(False)
    trained = {name: parameter for name, parameter in network.named_parameters() if parameter.requires_grad}
    return optimizer_of(trained, config.loop.weight_decay)


def optimizer_of(trained: Mapping[str, nn.Parameter], weight_decay: float) -> torch.optim.Optimizer:
    """AdamW with two groups, the encoder's parameters and the heads'; whoever steps it sets their rates."""
    encoder = [parameter for name, parameter in trained.items() if name.startswith("encoder.")]
    heads = [parameter for name, parameter in trained.items() if not name.startswith("encoder.")]
    return torch.optim.AdamW([{"params": encoder}, {"params": heads}], lr=0.0, weight_decay=weight_decay, fused=True)


def _streams(config: TrainingConfig, rng: random.Random) -> dict[str, Iterator[list[Row]]]:
    weights = {"reading": config.reading_weights, "grounding": config.grounding_weights}
    return {
        task: batches(
            Sampler(load_sources(config.data, list(weights[task]), rng), weights[task], rng),
            long_share=config.loop.long_share,
            batch_tokens=config.loop.batch_tokens,
            pool_batches=config.loop.pool_batches,
            max_tokens=config.max_tokens,
        )
        for task in TASKS
    }


def load_sources(data: Path, names: list[str], rng: random.Random) -> dict[str, list[Row]]:
    """The training rows of each source, at most 30,000 drawn at random. Raises SystemExit if a source is missing."""
    if missing := [name for name in names if not (data / f"{name}.jsonl").is_file()]:
        wanted = " ".join(f"--source {name}" for name in missing)
        raise SystemExit(f"{data} has no rows of {', '.join(missing)}: run python -m training build {wanted}")
    sources = {}
    for name in names:
        with (data / f"{name}.jsonl").open(encoding="utf-8") as file:
            lines = list(file)  # not splitlines(): JSON strings may contain U+2028
        drawn = rng.sample(lines, min(ROWS_A_SOURCE, len(lines)))
        sources[name] = [row for row in map(parse_row, drawn) if row.split == "train"]
    return sources


def in_bfloat16(device: torch.device) -> torch.autocast:
    """A context that computes in bfloat16 if the device supports it, else in float32.

    A step takes twenty times as long on a processor that emulates bfloat16.
    """
    native = device.type != "cpu" or dtype_of("auto") is torch.bfloat16
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=native)


def _device(network: nn.Module) -> torch.device:
    return next(network.parameters()).device
