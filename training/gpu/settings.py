"""Settings of the runs on a GPU; settings.toml explains each number."""

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

SETTINGS = Path(__file__).with_name("settings.toml")
SHIPPED_START = "shipped"
FRESH_START = "fresh"


@dataclass(frozen=True, slots=True)
class RunSettings:
    """How one network is trained."""

    seed: int
    rate: float
    head_rate: float
    cool_down: float
    reading_share: float
    step_tokens: int
    passages: int
    positive_weight: float
    question_weight: float


@dataclass(frozen=True, slots=True)
class NamedRun:
    """A run of the big reader: how long it takes, in seconds, and what it starts from."""

    name: str
    seconds: float
    start: str
    settings: RunSettings


@dataclass(frozen=True, slots=True)
class GpuSettings:
    """All settings. reading, grounding: weights of the sources. temperature, hard_weight: of distilling."""

    train: RunSettings
    distil: RunSettings
    temperature: float
    hard_weight: float
    runs: dict[str, dict[str, Any]]
    reading: dict[str, float]
    grounding: dict[str, float]

    def run(self, name: str) -> NamedRun:
        """The run of this name. Raises SystemExit for an unknown one."""
        if name not in self.runs:
            raise SystemExit(f"There is no run {name!r} in {SETTINGS.name}: it has {', '.join(self.runs)}.")
        changes = dict(self.runs[name])
        seconds, start = float(changes.pop("seconds")), str(changes.pop("start"))
        return NamedRun(name, seconds, start, replace(self.train, **changes))


def load_settings(path: Path = SETTINGS) -> GpuSettings:
    """Read the settings. A missing or unknown key raises with its name."""
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    distil = raw.pop("distil")
    temperature, hard_weight = float(distil.pop("temperature")), float(distil.pop("hard_weight"))
    train = RunSettings(**raw.pop("train"))
    return GpuSettings(train, RunSettings(**distil), temperature, hard_weight, **raw)
