"""The networks on the device, and vectors of texts."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn.functional import normalize

from lectorium.providers.cross_encoder_model import CrossEncoderNetwork, Shape
from lectorium.providers.cross_encoder_weights import unpack
from lectorium.providers.mpnet.base import shape_of
from lectorium.providers.mpnet.network import PAD, MPNetNetwork
from lectorium.providers.mpnet.question_adapter import QuestionAdapter
from training.background.bases import Network
from training.gpu.kit import QUESTIONS, SMALL
from training.loop import in_bfloat16

EMBEDDED_TOKENS = 65_536  # of a batch of texts, with padding
LONGEST_TEXT, LONGEST_QUESTION = 250, 46  # tokens, without the first and the last
INITIAL_SEED = 7


def big_network(kit: Path, weights: dict[str, Tensor], device: torch.device, *, adapted: bool = True) -> MPNetNetwork:
    """The base with a new adapter, or with none that is ever trained; linear layers in bfloat16 on a GPU."""
    torch.manual_seed(INITIAL_SEED)
    shape = shape_of(kit)
    network = MPNetNetwork(shape if adapted else replace(shape, first_adapted=shape.layers))
    network.encoder.load_state_dict(weights, strict=False)
    network.cast_linear(torch.bfloat16 if device.type == "cuda" else torch.float32)
    return network.to(device)


def small_network(kit: Path, shape: Shape, device: torch.device) -> CrossEncoderNetwork:
    """The shipped small reader in float32; its word vectors stay as they are."""
    network = CrossEncoderNetwork(shape)
    network.load_state_dict(unpack(load_file(kit / SMALL), torch.float32))
    network.encoder.embeddings.requires_grad_(False)
    return network.to(device)


def trained_parameters(network: Network) -> dict[str, nn.Parameter]:
    return {name: parameter for name, parameter in network.named_parameters() if parameter.requires_grad}


def precision(network: Network, device: torch.device) -> AbstractContextManager[object]:
    """The context of a forward pass: the big reader casts by itself, the small one is cast by torch."""
    return nullcontext() if isinstance(network, MPNetNetwork) else in_bfloat16(device)


class TextVectors:
    """Embeds texts as the product does: questions with the question adapter, sentences without."""

    def __init__(self, kit: Path, weights: dict[str, Tensor], tokenizer: Tokenizer, device: torch.device) -> None:
        self._encoder = big_network(kit, weights, device, adapted=False).encoder.eval()
        self._tokenizer, self._device = tokenizer, device
        self._adapter = QuestionAdapter(self._encoder, kit / QUESTIONS)

    def of_texts(self, texts: Sequence[str]) -> Tensor:
        """Unit vectors, shape (len(texts), width), in float32."""
        return self._embed(texts, LONGEST_TEXT)

    def of_questions(self, questions: Sequence[str]) -> Tensor:
        """Unit vectors, shape (len(questions), width), in float32."""
        with self._adapter.asking():
            return self._embed(questions, LONGEST_QUESTION)

    @torch.no_grad()
    def _embed(self, texts: Sequence[str], longest: int) -> Tensor:
        encoded = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        ids = [[0, *entry.ids[:longest], 2] for entry in encoded]
        order = sorted(range(len(ids)), key=lambda place: len(ids[place]))
        found = torch.zeros(len(ids), self._encoder.shape.width, device=self._device)
        while order:
            count = max(1, EMBEDDED_TOKENS // len(ids[order[-1]]))
            part, order = order[-count:], order[:-count]
            found[torch.tensor(part, device=self._device)] = self._vectors([ids[place] for place in part])
        return found

    def _vectors(self, ids: Sequence[Sequence[int]]) -> Tensor:
        padded = np.full((len(ids), -(-max(map(len, ids)) // 8) * 8), PAD)
        mask = np.zeros_like(padded)
        for row, tokens in enumerate(ids):
            padded[row, : len(tokens)], mask[row, : len(tokens)] = tokens, 1
        on_device = torch.from_numpy(mask).to(self._device)
        hidden = self._encoder(torch.from_numpy(padded).to(self._device), on_device)
        kept = on_device.unsqueeze(-1).float()
        return normalize((hidden * kept).sum(1) / kept.sum(1), dim=-1).float()


def similarities(questions: Tensor, sentences: Tensor) -> "np.ndarray[tuple[int, int], np.dtype[np.float16]]":
    """Cosines in half precision, shape (questions, sentences)."""
    found = np.empty((len(questions), len(sentences)), dtype=np.float16)
    for first in range(0, len(questions), 1024):
        found[first : first + 1024] = (questions[first : first + 1024] @ sentences.T).half().cpu().numpy()
    return found
