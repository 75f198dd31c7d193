"""The adapter of the big reader on disk: parameters in bfloat16, and facts in JSON."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor, nn

from lectorium.providers.cross_encoder_weights import WeightsCalibration, as_stored, read_calibration
from lectorium.providers.errors import ModelMissing
from lectorium.providers.mpnet.base import BASE_SHA256
from lectorium.providers.mpnet.network import MPNetNetwork
from lectorium.providers.weight_files.files import RESTORE, is_whole, load_weights, sha256_of

WEIGHTS = "adapter.safetensors"
FACTS = "adapter.json"


@dataclass(frozen=True, slots=True)
class AdapterFacts:
    """adapter.json: the base it fits, the pairs it was trained on by task, and its calibration."""

    base_sha256: str
    pairs: dict[str, int]
    calibration: WeightsCalibration


def is_adapter(folder: Path) -> bool:
    """Whether the folder has an adapter whose weights are not truncated."""
    return (folder / FACTS).is_file() and is_whole(folder / WEIGHTS)


def save_adapter(folder: Path, parameters: dict[str, Tensor], pairs: dict[str, int]) -> AdapterFacts:
    """Write an adapter with a neutral calibration, to be replaced by `save_facts`."""
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f"{WEIGHTS}.part"
    save_file(
        {name: tensor.detach().to("cpu", torch.bfloat16).contiguous() for name, tensor in parameters.items()}, part
    )
    version = sha256_of(part)[:12]
    facts = AdapterFacts(BASE_SHA256, pairs, WeightsCalibration(version, (1.0, 0.0), (1.0, 0.0), 0.5, 0.5))
    part.replace(folder / WEIGHTS)
    save_facts(folder, facts)
    return facts


def save_facts(folder: Path, facts: AdapterFacts) -> None:
    stored = {**asdict(facts), "calibration": as_stored(facts.calibration)}
    (folder / FACTS).write_text(json.dumps(stored, indent=2) + "\n", encoding="utf-8")


def load_facts(folder: Path) -> AdapterFacts:
    """Read adapter.json. Raises ModelMissing without an adapter, TypeError for an unknown key."""
    if not is_adapter(folder):
        raise ModelMissing(f"{folder} contains no adapter. Write one with `python -m training accept --to {folder}`.")
    raw = json.loads((folder / FACTS).read_text(encoding="utf-8"))
    return AdapterFacts(**{**raw, "calibration": read_calibration(raw["calibration"])})


def load_adapter(network: MPNetNetwork, folder: Path) -> AdapterFacts:
    """Load an adapter into the network. Raises ModelMissing where it is absent or fits another base or shape."""
    facts = load_facts(folder)
    if facts.base_sha256 != BASE_SHA256:
        raise ModelMissing(f"The adapter in {folder} was trained on another base, sha256 {facts.base_sha256}.")
    load_parameters(dict(network.trained()), load_weights(folder / WEIGHTS, RESTORE), folder)
    return facts


def load_parameters(trained: dict[str, nn.Parameter], parameters: dict[str, Tensor], where: Path) -> None:
    """Copy parameters into a network's trained ones. Raises ModelMissing where names or shapes differ."""
    differing = trained.keys() ^ parameters.keys()
    differing |= {name for name in trained.keys() & parameters.keys() if trained[name].shape != parameters[name].shape}
    if differing:
        raise ModelMissing(f"The adapter in {where} does not fit the network: {', '.join(sorted(differing)[:3])}.")
    with torch.no_grad():
        for name, parameter in trained.items():
            parameter.copy_(parameters[name])
