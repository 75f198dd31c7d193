"""The models a background job can train: all-mpnet-base-v2 with an adapter, or the whole MiniLM that ships."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from lectorium.providers.cross_encoder_model import CrossEncoderNetwork
from lectorium.providers.cross_encoder_weights import SHIPPED, load_network
from lectorium.providers.mpnet.adapter import WEIGHTS, is_adapter, load_facts
from lectorium.providers.mpnet.base import BASE_NAME, is_base, load_base_network
from lectorium.providers.mpnet.network import MPNetNetwork
from lectorium.providers.precision import dtype_of
from training.background.config import training_home

Network = MPNetNetwork | CrossEncoderNetwork


@dataclass(frozen=True, slots=True)
class TrainableBase:
    """A base model: how to load it, which parameters are trained, how fast, and what a new job starts from."""

    name: str
    learning_rate: float
    head_learning_rate: float
    load: Callable[[], tuple[Network, Any]]
    trained: Callable[[Any], dict[str, nn.Parameter]]
    warm_start: Path | None = None


def base_named(name: str) -> TrainableBase:
    """The base model of this name, mpnet or minilm."""
    return {"mpnet": MPNET, "minilm": MINILM}[name]


def mpnet_folder() -> Path:
    """The folder of all-mpnet-base-v2: LECTORIUM_READER_BASE, or in the state folder, or in the training folder."""
    state = Path(os.environ.get("LECTORIUM_STATE") or "var")
    places = [
        Path(os.environ.get("LECTORIUM_READER_BASE") or "/nonexistent"),
        state / "models" / BASE_NAME,
        training_home() / "base" / "joined" / BASE_NAME,
    ]
    found = next((place for place in places if is_base(place)), None)
    if found is None:
        raise SystemExit(f"{BASE_NAME} is not installed. Run `make install`.")
    return found


@dataclass(frozen=True, slots=True)
class WarmStart:
    """What a new job starts from: parameters by name, and the pairs they have seen by task, if known."""

    parameters: dict[str, Tensor]
    pairs: dict[str, int]


def read_warm_start(file: Path) -> WarmStart:
    """Read an adapter file, or a checkpoint of the trial script."""
    if file.suffix == ".safetensors":
        pairs = load_facts(file.parent).pairs if is_adapter(file.parent) else {}
        return WarmStart({name: tensor.float() for name, tensor in load_file(file).items()}, pairs)
    saved = torch.load(file, weights_only=True, map_location="cpu")
    return WarmStart({_name_of_trial(name): tensor.float() for name, tensor in saved.items()}, {})


def _name_of_trial(name: str) -> str:
    if name.startswith("enc."):
        return "encoder." + name.removeprefix("enc.")
    return "grounding." + name.removeprefix("head.") if name.startswith("head.") else name


def _load_mpnet() -> tuple[Network, Any]:
    from transformers import AutoTokenizer

    folder = mpnet_folder()
    return load_base_network(folder, dtype_of("auto")), AutoTokenizer.from_pretrained(str(folder))


def _load_minilm() -> tuple[Network, Any]:
    from training.base import load_base

    _, tokenizer = load_base(dropout=0.0)
    network = load_network(SHIPPED, torch.float32)
    network.requires_grad_(True)
    network.encoder.embeddings.requires_grad_(False)
    return network.train(), tokenizer


def _trained_mpnet(network: MPNetNetwork) -> dict[str, nn.Parameter]:
    return dict(network.trained())


def _trained_minilm(network: CrossEncoderNetwork) -> dict[str, nn.Parameter]:
    return {name: parameter for name, parameter in network.named_parameters() if parameter.requires_grad}


ADAPTER = Path("lectorium/providers/mpnet/weights")
MPNET = TrainableBase("mpnet", 3e-4, 3e-4, _load_mpnet, _trained_mpnet, ADAPTER / WEIGHTS)
MINILM = TrainableBase("minilm", 5e-5, 2e-4, _load_minilm, _trained_minilm)
