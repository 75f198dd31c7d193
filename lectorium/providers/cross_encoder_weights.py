"""The shipped weights: int8 with a scale per row, unpacked at load."""

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from .cross_encoder_model import CrossEncoderNetwork
from .errors import PermanentError
from .handwritten_bar import HandwrittenBar
from .weight_files.files import RESTORE, load_weights

SHIPPED = Path(__file__).parent / "weights"
SCALE = ".scale"
CALIBRATION = "calibration.json"
WEIGHTS = "cross_encoder.safetensors"


@dataclass(frozen=True, slots=True)
class WeightsCalibration:
    """Maps logits to probabilities and verdicts; all values were measured on held-out data.

    support, answerability: (slope, offset) of the logistic map from logit to probability.
    supported: support from which the verdict is "supported". answered: answerability from which there is a span.
    handwritten: the result on the hand-written bar; None until measured, and after each fit.
    """

    version: str
    support: tuple[float, float]
    answerability: tuple[float, float]
    supported: float
    answered: float
    handwritten: HandwrittenBar | None = None

    @property
    def passed_bar(self) -> bool:
        return self.handwritten is not None and self.handwritten.passed


def logistic(logit: float, line: tuple[float, float]) -> float:
    """The probability of a logit under a calibrated (slope, offset)."""
    value = max(-60.0, min(60.0, line[0] * logit + line[1]))
    return 1 / (1 + math.exp(-value))


def pack(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Store matrices as int8 with a float32 scale per row, vectors as float32."""
    packed: dict[str, Tensor] = {}
    for name, weight in weights.items():
        if weight.ndim != 2:
            packed[name] = weight.float().contiguous()
            continue
        scale = weight.float().abs().amax(dim=1, keepdim=True).clamp_min(1e-8) / 127
        packed[name] = (weight.float() / scale).round().clamp(-127, 127).to(torch.int8)
        packed[name + SCALE] = scale.squeeze(1)
    return packed


def unpack(packed: dict[str, Tensor], dtype: torch.dtype) -> dict[str, Tensor]:
    """The unpacked floats, within half a step of each row's scale."""
    weights: dict[str, Tensor] = {}
    for name, stored in packed.items():
        if name.endswith(SCALE):
            continue
        if stored.dtype == torch.int8:
            weights[name] = (stored.float() * packed[name + SCALE].unsqueeze(1)).to(dtype)
        else:
            weights[name] = stored.to(dtype)
    return weights


def require(folder: Path) -> None:
    """Raise PermanentError, with a remedy, where a weights folder is incomplete."""
    for name in (WEIGHTS, "tokenizer.json", CALIBRATION):
        if not (folder / name).is_file():
            raise PermanentError(
                f"There is no {name} in {folder.name}/. Restore the folder from the repository, or train one "
                "(training/README.md): `python -m training train`, then `export` and `calibrate`."
            )


def load_network(folder: Path, dtype: torch.dtype) -> CrossEncoderNetwork:
    """The network of a weights folder, ready to score. Raises PermanentError."""
    require(folder)
    with torch.device("meta"):
        network = CrossEncoderNetwork()
    network.load_state_dict(unpack(load_weights(folder / WEIGHTS, RESTORE), dtype), assign=True)
    for head in (network.relevance, network.answerability, network.grounding, network.tokens):
        head.float()  # in bfloat16, different passages would get equal scores
    return network.eval().requires_grad_(False)


def load_calibration(folder: Path) -> WeightsCalibration:
    """calibration.json of a weights folder. Raises TypeError for a missing or unknown key."""
    return read_calibration(json.loads((folder / CALIBRATION).read_text(encoding="utf-8")))


def store_calibration(folder: Path, calibration: WeightsCalibration) -> None:
    """Write calibration.json of a weights folder. Raises OSError."""
    (folder / CALIBRATION).write_text(json.dumps(as_stored(calibration), indent=2) + "\n", encoding="utf-8")


def read_calibration(stored: dict[str, Any]) -> WeightsCalibration:
    """Read what `as_stored` returned. Raises TypeError for a missing or unknown key."""
    maps = {key: tuple(stored[key]) for key in ("support", "answerability")}
    bar = stored.get("handwritten")
    return WeightsCalibration(**{**stored, **maps, "handwritten": HandwrittenBar.from_dict(bar) if bar else None})


def as_stored(calibration: WeightsCalibration) -> dict[str, Any]:
    """The calibration as JSON values."""
    bar = calibration.handwritten
    return {**asdict(calibration), "handwritten": bar.as_dict() if bar else None}
