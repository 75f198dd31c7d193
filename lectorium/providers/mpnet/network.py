"""The network of the big reader: a frozen MPNet encoder, LoRA on its upper layers, and a head per question.

Written out instead of imported, so that it loads quickly. Parameter names follow the published checkpoint.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu, linear, pad

from lectorium.providers.cross_encoder_model import GROUNDING_LABELS, Logits, drawn, vectors
from lectorium.providers.mpnet.attention import Attention, attention_by_row, padded_attention, relative_buckets, rounded

PAD = 1  # token id of padding; positions of real tokens start after it


@dataclass(frozen=True, slots=True)
class MPNetShape:
    """Sizes of the encoder and the adapter. Layers below `first_adapted` are not adapted."""

    vocabulary: int = 30527
    width: int = 768
    inner: int = 3072
    layers: int = 12
    heads: int = 12
    positions: int = 514
    buckets: int = 32
    first_adapted: int = 2
    rank: int = 16
    alpha: float = 32.0


class LoRALinear(nn.Linear):
    """A frozen linear layer plus a trained product of two thin matrices.

    `b` starts at zero, so a new adapter changes nothing. Source: Hu et al. 2021, "LoRA".
    """

    def __init__(self, inputs: int, outputs: int, rank: int, alpha: float) -> None:
        super().__init__(inputs, outputs)
        self.a = nn.Parameter(drawn(rank, inputs, spread=1 / math.sqrt(inputs)))
        self.b = nn.Parameter(torch.zeros(outputs, rank))
        self.scale = alpha / rank

    def forward(self, x: Tensor) -> Tensor:
        """The frozen layer's output plus the adapter's, in the frozen layer's dtype."""
        a, b = self.a.to(x.dtype), (self.b * self.scale).to(x.dtype)
        return linear(x, self.weight, self.bias) + linear(linear(x, a), b)

    def merged(self) -> nn.Linear:
        """A plain layer with the adapter in its weights, which reads a third faster; rounded to the frozen dtype."""
        with torch.device("meta"):  # else random numbers would be drawn only to be replaced
            plain = nn.Linear(self.in_features, self.out_features, dtype=self.weight.dtype)
        change = self.scale * (self.b.detach().float() @ self.a.detach().float())
        plain.weight = nn.Parameter((self.weight.detach().float() + change).to(self.weight.dtype))
        plain.bias = nn.Parameter(self.bias.detach().clone())
        return plain


class MPNetEncoder(nn.Module):
    """MPNet without its pooler. Residuals and layer norms are float32; linear layers use their own dtype.

    Without gradients, a processor reads the tokens of all rows one after another, so that padding costs nothing: eight
    clips take a quarter less time.
    """

    def __init__(self, shape: MPNetShape) -> None:
        super().__init__()
        self.shape = shape
        self.embeddings = nn.ModuleDict(
            {
                "word_embeddings": vectors(shape.vocabulary, shape.width, PAD),
                "position_embeddings": vectors(shape.positions, shape.width, PAD),
                "LayerNorm": nn.LayerNorm(shape.width, eps=1e-5),
            }
        )
        layers = [_layer(shape, adapted=place >= shape.first_adapted) for place in range(shape.layers)]
        bias = vectors(shape.buckets, shape.heads)
        self.encoder = nn.ModuleDict({"layer": nn.ModuleList(layers), "relative_attention_bias": bias})

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """Hidden states (rows, tokens, width) in float32; the mask is 1 on a row's tokens, 0 on the padding behind."""
        places = attention_mask.cumsum(1) * attention_mask + PAD
        if torch.is_grad_enabled() or input_ids.device.type != "cpu":
            bias = self._relative_bias(attention_mask.shape[1], input_ids.device)
            return self._read(input_ids, places, padded_attention(bias, attention_mask))
        real = attention_mask.bool()
        tokens = int(real.sum())
        rest = rounded(tokens) - tokens
        lengths = [length for length in (*attention_mask.sum(1).tolist(), rest) if length]
        ids, places = pad(input_ids[real], (0, rest), value=PAD), pad(places[real], (0, rest), value=PAD)
        found = self._read(ids, places, attention_by_row(self._relative_bias(max(lengths)), lengths))
        hidden = found.new_zeros(*real.shape, self.shape.width)
        hidden[real] = found[:tokens]
        return hidden

    def _read(self, ids: Tensor, places: Tensor, attend: Attention) -> Tensor:
        """Hidden states (…, width) of tokens (…) at these places."""
        with torch.no_grad():
            hidden = self.embeddings["word_embeddings"](ids) + self.embeddings["position_embeddings"](places)
            hidden = cast(Tensor, self.embeddings["LayerNorm"](hidden.float()))
        for place, layer in enumerate(self.layers()):
            with torch.set_grad_enabled(torch.is_grad_enabled() and place >= self.shape.first_adapted):
                hidden = self._layer(layer, hidden, attend)
        return hidden

    def layers(self) -> list[nn.ModuleDict]:
        return [cast(nn.ModuleDict, layer) for layer in cast(nn.ModuleList, self.encoder["layer"])]

    def _relative_bias(self, tokens: int, device: torch.device | None = None) -> Tensor:
        """What relative positions add to attention scores, (1, heads, tokens, tokens)."""
        with torch.no_grad():
            buckets = relative_buckets(tokens, self.shape.buckets).to(device)
            bias = cast(Tensor, self.encoder["relative_attention_bias"](buckets)).permute(2, 0, 1)
            return bias.unsqueeze(0).to(self._dtype())

    def _layer(self, layer: nn.ModuleDict, hidden: Tensor, attend: Attention) -> Tensor:
        attention = cast(nn.ModuleDict, layer["attention"])
        parts = cast(nn.ModuleDict, attention["attn"])
        low = hidden.to(self._dtype())
        mixed = attend(*(parts[name](low) for name in "qkv"))
        hidden = attention["LayerNorm"](hidden + parts["o"](mixed))
        inner, output = cast(nn.ModuleDict, layer["intermediate"]), cast(nn.ModuleDict, layer["output"])
        change = output["dense"](gelu(inner["dense"](hidden.to(self._dtype()))))
        return cast(Tensor, output["LayerNorm"](hidden + change))

    def _dtype(self) -> torch.dtype:
        return cast(nn.Linear, cast(nn.ModuleDict, self.layers()[0]["intermediate"])["dense"]).weight.dtype


class MPNetNetwork(nn.Module):
    """Reads "<s> question or claim </s></s> passage </s>" once for all heads."""

    def __init__(self, shape: MPNetShape | None = None) -> None:
        super().__init__()
        shape = shape or MPNetShape()
        self.encoder = MPNetEncoder(shape)
        self.grounding = _head(shape.width, len(GROUNDING_LABELS))
        self.relevance = _head(shape.width, 1)
        self.answerability = _head(shape.width, 1)
        self.tokens = nn.Linear(shape.width, 3)
        trained = dict(self.trained())
        for name, parameter in self.named_parameters():
            parameter.requires_grad_(name in trained)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, task: int = 0) -> Logits:
        """Score a batch. `task` is ignored, since each task has its own heads."""
        hidden = self.encoder(input_ids, attention_mask)
        summary = summary_of(hidden, attention_mask)
        start, end, evidence = self.tokens(hidden).unbind(-1)
        return Logits(
            relevance=self.relevance(summary).squeeze(-1),
            answerability=self.answerability(summary).squeeze(-1),
            grounding=self.grounding(summary),
            start=start,
            end=end,
            evidence=evidence,
        )

    def trained(self) -> Iterator[tuple[str, nn.Parameter]]:
        """The adapter's parameters by name: LoRA, layer norms of the adapted layers, and the heads."""
        adapted = tuple(
            f"encoder.encoder.layer.{place}."
            for place in range(self.encoder.shape.first_adapted, self.encoder.shape.layers)
        )
        for name, parameter in self.named_parameters():
            in_layer = name.startswith(adapted) and (name.endswith((".a", ".b")) or "LayerNorm" in name)
            if in_layer or not name.startswith("encoder."):
                yield name, parameter

    def merge_adapter(self) -> None:
        """Put the adapter into the layers' weights. The network can then no longer be trained or load an adapter."""
        for parent in list(self.encoder.modules()):
            for name, child in list(parent.named_children()):
                if isinstance(child, LoRALinear):
                    setattr(parent, name, child.merged())

    def cast_linear(self, dtype: torch.dtype) -> None:
        """Store frozen linear weights in `dtype`; adapter and heads stay float32."""
        for module in self.encoder.modules():
            if isinstance(module, nn.Linear):
                module.weight.data = module.weight.data.to(dtype)
                module.bias.data = module.bias.data.to(dtype)


def summary_of(hidden: Tensor, attention_mask: Tensor) -> Tensor:
    """The first token's state beside the mean of all, (rows, 2 · width), from (rows, tokens, width)."""
    mask = attention_mask.unsqueeze(-1).to(hidden.dtype)
    return torch.cat([hidden[:, 0], (hidden * mask).sum(1) / mask.sum(1)], dim=-1)


def _layer(shape: MPNetShape, *, adapted: bool) -> nn.ModuleDict:
    def dense(inputs: int, outputs: int) -> nn.Linear:
        return LoRALinear(inputs, outputs, shape.rank, shape.alpha) if adapted else nn.Linear(inputs, outputs)

    def norm() -> nn.LayerNorm:
        return nn.LayerNorm(shape.width, eps=1e-5)

    width, inner = shape.width, shape.inner
    attention = nn.ModuleDict({name: dense(width, width) for name in "qkvo"})
    return nn.ModuleDict(
        {
            "attention": nn.ModuleDict({"attn": attention, "LayerNorm": norm()}),
            "intermediate": nn.ModuleDict({"dense": dense(width, inner)}),
            "output": nn.ModuleDict({"dense": dense(inner, width), "LayerNorm": norm()}),
        }
    )


def _head(width: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(2 * width, width), nn.GELU(), nn.Linear(width, outputs))
