"""Settings of the background job, and the folder with its state."""

import os
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

JobTask = Literal["grounding", "reading", "both"]
SETTINGS = Path(__file__).with_name("job.toml")


@dataclass(frozen=True, slots=True)
class EvaluationSize:
    """Numbers of held-back rows per evaluation."""

    claims: int
    questions: int
    rivals: int


@dataclass(frozen=True, slots=True)
class JobConfig:
    """Everything that determines what the job learns; job.toml explains each number."""

    seed: int
    workers: int
    step_tokens: int
    warmup_steps: int
    rate_share: float
    weight_decay: float
    average_decay: float
    long_share: float
    long: int
    span_weight: float
    evidence_weight: float
    reading_share: float
    checkpoint_seconds: float
    evaluate_pairs: int
    widths: tuple[int, ...]
    evaluation: EvaluationSize
    grounding: dict[str, float]
    reading: dict[str, float]

    def with_task(self, task: JobTask) -> "JobConfig":
        """The settings for training only this task, or both in the configured mixture."""
        share = {"grounding": 0.0, "reading": 1.0, "both": self.reading_share}[task]
        return replace(self, reading_share=share)

    def rows_at(self, width: int) -> int:
        """The fixed number of rows of a batch of this width."""
        return max(1, self.step_tokens // width)


def load_job(path: Path = SETTINGS) -> JobConfig:
    """Read the job's settings. A missing or unknown key raises with its name."""
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    return JobConfig(
        **{**raw, "widths": tuple(raw["widths"]), "evaluation": EvaluationSize(**raw["evaluation"])},
    )


@dataclass(frozen=True, slots=True)
class JobFolder:
    """The files of a job. They are outside the checkout, so that a new checkout continues the same job."""

    path: Path
    data: Path

    @property
    def checkpoint(self) -> Path:
        return self.path / "checkpoint.pt"

    @property
    def best(self) -> Path:
        return self.path / "best.safetensors"

    @property
    def curve(self) -> Path:
        return self.path / "curve.jsonl"

    @property
    def progress(self) -> Path:
        return self.path / "progress.json"

    @property
    def log(self) -> Path:
        return self.path / "job.log"

    @property
    def lock(self) -> Path:
        return self.path / "lock"


def training_home() -> Path:
    """The folder of all background jobs: LECTORIUM_TRAINING, by default ~/lectorium-training."""
    return Path(os.environ.get("LECTORIUM_TRAINING") or Path.home() / "lectorium-training")


def job_folder(base: str) -> JobFolder:
    """The files of the job that trains this base model. All jobs share the rows."""
    return JobFolder(training_home() / base, training_home() / "data")
