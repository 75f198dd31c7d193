"""The shipped weights: one byte a weight with a scale a row, turned back into floats at load."""

import json
import math
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor

from .cross_encoder_model import CrossEncoderNetwork
from .errors import PermanentError
from .handwritten_bar import HandwrittenBar

SHIPPED = Path(__file__).parent / "weights"
SCALE = ".scale"


@dataclass(frozen=True, slots=True)
class WeightsCalibration:
    """What turns logits into probabilities and verdicts; every number was measured on held-back data.

    support, answerability: (slope, offset) of the logistic map from a head's logit to a probability.
    supported: support at or above it is the verdict "supported". answered: answerability at or above it has a span.
    handwritten: how these weights did on the hand-written bar; None until they are measured, and after each new fit.
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
    """Return the probability that a calibrated line (slope, offset) gives a logit."""
    value = max(-60.0, min(60.0, line[0] * logit + line[1]))
    return 1 / (1 + math.exp(-value))


def pack(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Store every matrix as int8 with one float32 scale a row; vectors stay float32."""
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
    """Return the floats that `pack` stored, to within half a step of each row's scale."""
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
    """Raise PermanentError, saying what to do, where a weights folder is not whole."""
    for name in ("cross_encoder.safetensors", "tokenizer.json", "calibration.json"):
        if not (folder / name).is_file():
            raise PermanentError(
                f"There is no {name} in {folder.name}/. Restore the folder from the repository, or train one "
                "(training/README.md): `python -m training train`, then `export` and `calibrate`."
            )


def load_network(folder: Path, dtype: torch.dtype) -> CrossEncoderNetwork:
    """Load the network of a weights folder, ready to score. Raises PermanentError where the folder holds none."""
    require(folder)
    file = folder / "cross_encoder.safetensors"
    with torch.device("meta"):
        network = CrossEncoderNetwork()
    network.load_state_dict(unpack(load_file(file), dtype), assign=True)
    for head in (network.relevance, network.answerability, network.grounding, network.tokens):
        head.float()  # bfloat16 scores would tie passages that differ
    return network.eval().requires_grad_(False)


def load_calibration(folder: Path) -> WeightsCalibration:
    """Read a weights folder's calibration.json; a missing or unknown key raises TypeError with its name."""
    raw = json.loads((folder / "calibration.json").read_text(encoding="utf-8"))
    for key in ("support", "answerability"):
        raw[key] = tuple(raw[key])
    if bar := raw.get("handwritten"):
        raw["handwritten"] = HandwrittenBar.from_dict(bar)
    return WeightsCalibration(**raw)


def store_bar(folder: Path, bar: HandwrittenBar) -> None:
    """Write how a folder's weights did on the hand-written bar beside them. Raises OSError."""
    store_calibration(folder, replace(load_calibration(folder), handwritten=bar))


def store_calibration(folder: Path, calibration: WeightsCalibration) -> None:
    """Write calibration.json of a weights folder. Raises OSError where it cannot be written."""
    facts = asdict(replace(calibration, handwritten=None))
    del facts["handwritten"]
    if calibration.handwritten:
        facts["handwritten"] = calibration.handwritten.as_dict()
    (folder / "calibration.json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
