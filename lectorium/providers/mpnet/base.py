"""The frozen base of the big reader."""

import json
from collections.abc import Mapping
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from lectorium.providers.errors import ModelMissing
from lectorium.providers.mpnet.network import MPNetNetwork, MPNetShape
from lectorium.providers.weight_files.files import is_whole, load_weights

BASE_NAME = "all-mpnet-base-v2"
BASE_SHA256 = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"
BASE_WEIGHTS = "model.safetensors"
INSTALL = "Run `make install`, which downloads it again."
_NEEDED = ("tokenizer.json", "config.json")
_WORDS = "embeddings.word_embeddings.weight"
_LARGE = 500_000  # values; smaller parameters are stored as they are in the file
_UNUSED = {"pooler.dense.weight", "pooler.dense.bias", "embeddings.position_ids"}


def is_base(folder: Path) -> bool:
    """Whether the folder has every file and its weights are not truncated."""
    return all((folder / name).is_file() for name in _NEEDED) and is_whole(folder / BASE_WEIGHTS)


def require_base(folder: Path) -> Path:
    """`folder`. Raises ModelMissing, with a remedy, where it does not contain the base model."""
    if not is_base(folder):
        raise ModelMissing(f"{BASE_NAME} is not in {folder}, or is truncated there. Install it with `make install`.")
    return folder


def sizes_of(config: Mapping[str, Any]) -> dict[str, int]:
    """The sizes of an encoder by the names of our shapes, from a model's config.json."""
    return {
        "vocabulary": config["vocab_size"],
        "width": config["hidden_size"],
        "inner": config["intermediate_size"],
        "layers": config["num_hidden_layers"],
        "heads": config["num_attention_heads"],
        "positions": config["max_position_embeddings"],
    }


def shape_of(folder: Path) -> MPNetShape:
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return MPNetShape(**sizes_of(config), buckets=config["relative_attention_num_buckets"])


def load_base_network(
    folder: Path, dtype: torch.dtype, shape: MPNetShape | None = None, *, initial: bool = True
) -> MPNetNetwork:
    """The network with the base's weights, of the base's shape by default. Raises ModelMissing.

    initial: with a new adapter. Without, as where a stored one is loaded next, its parameters hold nothing yet.
    All networks of the base that compute in `dtype` share its word vectors.
    """
    weights = load_weights(require_base(folder) / BASE_WEIGHTS, INSTALL)
    with nullcontext() if initial else torch.device("meta"):
        network = MPNetNetwork(shape or shape_of(folder))
    own = {name: weight.float() for name, weight in weights.items() if name not in {*_UNUSED, _WORDS}}
    found = network.encoder.load_state_dict({_WORDS: _word_vectors(folder, dtype), **own}, strict=False, assign=True)
    missing = [name for name in found.missing_keys if not name.endswith((".a", ".b"))]
    if missing or found.unexpected_keys:
        raise ModelMissing(
            f"{folder} is not {BASE_NAME}: it lacks {missing[:3]} and has the unknown {found.unexpected_keys[:3]}."
        )
    _give_storage(network)
    network.cast_linear(dtype)
    for parameter in network.encoder.parameters():
        if parameter.numel() < _LARGE:
            parameter.data = parameter.data.clone()  # else the whole file stays in memory for its sake
    return network


def _give_storage(network: nn.Module) -> None:
    """Let parameters on the device "meta" hold numbers. Module.to_empty would import a compiler and do all of them."""
    for module in network.modules():
        for name, parameter in module.named_parameters(recurse=False):
            if parameter.is_meta:
                setattr(module, name, nn.Parameter(torch.empty(parameter.shape), parameter.requires_grad))


@cache
def _word_vectors(folder: Path, dtype: torch.dtype) -> Tensor:
    """The base's word vectors, which all networks of a process share: 47 MB in bfloat16, 94 in float32."""
    return load_weights(folder / BASE_WEIGHTS, INSTALL)[_WORDS].to(dtype, copy=True)
