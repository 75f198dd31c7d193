"""The configuration of a training run, read from one TOML file."""

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class LoopConfig:
    """minutes: wall clock. batch_tokens: with padding. accumulate: batches per step."""

    workers: int
    budget_minutes: float
    checkpoint_minutes: float
    learning_rate: float
    head_learning_rate: float
    warmup_share: float
    weight_decay: float
    batch_tokens: int
    pool_batches: int
    dropout: float
    frozen_layers: int
    long_share: float
    span_weight: float
    evidence_weight: float
    reading_share: float
    accumulate: int = 1

    def __post_init__(self) -> None:
        if self.accumulate < 1:
            message = f"loop.accumulate is {self.accumulate}: it must be at least 1"
            raise ValueError(message)


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """A training run. start: the weights folder to continue from; None for the base encoder with new heads."""

    seed: int
    run: Path
    data: Path
    max_tokens: int
    start: Path | None
    loop: LoopConfig
    grounding_weights: dict[str, float]
    reading_weights: dict[str, float]


def load_config(path: Path) -> TrainingConfig:
    """Read a TOML configuration. A missing or unknown key raises with its name."""
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    return TrainingConfig(
        seed=raw["seed"],
        run=Path(raw["run"]),
        data=Path(raw["data"]),
        max_tokens=raw["model"]["max_tokens"],
        start=Path(raw["model"]["start"]) if raw["model"]["start"] else None,
        loop=LoopConfig(**raw["loop"]),
        grounding_weights=raw["weights"]["grounding"],
        reading_weights=raw["weights"]["reading"],
    )
