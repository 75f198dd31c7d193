"""The two embedders that come with the product, on our own networks.

They give the vectors of sentence-transformers and load without it: importing that takes three seconds.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor

from .batching import padded, padding_step
from .cross_encoder_model import Encoder, Shape
from .mpnet.base import BASE_WEIGHTS, load_base_network, shape_of, sizes_of
from .mpnet.network import MPNetEncoder
from .precision import dtype_of
from .sentence_transformers import SentenceTransformersEmbedder
from .weight_files.files import load_weights

INSTALL = "`manage.py doctor` says how to get it again."
MPNET = "mpnet"  # a model's type, in its configuration; the other is "bert"


class ShippedEmbedder(SentenceTransformersEmbedder):
    """all-MiniLM-L6-v2 or all-mpnet-base-v2, by the folder of its files."""

    @cached_property
    def _model(self) -> "OwnModel":
        torch.set_num_threads(self._threads)
        return OwnModel(self._path, dtype_of(self._dtype), self._longest)

    @property
    def _network(self) -> Any:
        return self._model.encoder


class OwnModel:
    """As much of a sentence-transformers model as the embedder asks for: the mean of the tokens' states."""

    tokenizer = SimpleNamespace(padding_side="right")

    def __init__(self, folder: Path, dtype: torch.dtype, longest: int) -> None:
        """longest: tokens of a text with the two special ones; what is beyond is cut. Raises DamagedWeights."""
        self._longest = longest
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self._of_mpnet = config["model_type"] == MPNET
        self.encoder = _mpnet(folder, dtype) if self._of_mpnet else _bert(folder, config, dtype)
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(longest)
        self._pad = int(config["pad_token_id"])

    def preprocess(
        self, texts: Sequence[str], *, prompt: str | None, processing_kwargs: Mapping[str, Any]
    ) -> dict[str, Tensor]:
        """Token ids of the texts and where they are no padding, shape (texts, width) each.

        processing_kwargs is what the library would need; widths are in the same steps.
        """
        found = self._tokenizer.encode_batch([f"{prompt or ''}{text}" for text in texts])
        longest = max(len(entry.ids) for entry in found)
        width = padded(longest) if padding_step(self._longest) else longest
        ids = torch.full((len(found), width), self._pad)
        mask = torch.zeros_like(ids)  # a text may spell the token of padding, which is no padding then
        for row, entry in enumerate(found):
            ids[row, : len(entry.ids)] = torch.tensor(entry.ids)
            mask[row, : len(entry.ids)] = 1
        return {"input_ids": ids, "attention_mask": mask}

    def __call__(self, features: Mapping[str, Tensor]) -> dict[str, Tensor]:
        ids, mask = features["input_ids"], features["attention_mask"]
        if self._of_mpnet:
            hidden = self.encoder(ids, mask)
        else:
            hidden = self.encoder(ids, mask, torch.zeros_like(ids), torch.zeros(()))
        kept = mask.unsqueeze(-1).to(hidden.dtype)
        return {"sentence_embedding": (hidden * kept).sum(1) / kept.sum(1)}


def _mpnet(folder: Path, dtype: torch.dtype) -> MPNetEncoder:
    shape = shape_of(folder)
    unadapted = replace(shape, first_adapted=shape.layers)
    return load_base_network(folder, dtype, unadapted, initial=False).encoder.eval().requires_grad_(False)


def _bert(folder: Path, config: Mapping[str, int], dtype: torch.dtype) -> Encoder:
    with torch.device("meta"):
        encoder = Encoder(Shape(**sizes_of(config)))
    weights = load_weights(folder / BASE_WEIGHTS, INSTALL)
    encoder.load_state_dict({name: weights[name] for name in encoder.state_dict()}, assign=True)
    return encoder.to(dtype).eval().requires_grad_(False)
