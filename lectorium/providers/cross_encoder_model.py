"""The network of the shipped cross-encoder: a MiniLM encoder, two-layer heads, three logits per token.

Written out instead of imported, so that it loads in a second; parameter names are those of BERT checkpoints.
"""

from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout, gelu, scaled_dot_product_attention

TASKS = ("reading", "grounding")
GROUNDING_LABELS = ("supported", "contradicted", "not_mentioned")


@dataclass(frozen=True, slots=True)
class Shape:
    vocabulary: int = 30522
    width: int = 384
    inner: int = 1536
    layers: int = 6
    heads: int = 12
    positions: int = 512


@dataclass(frozen=True, slots=True)
class Logits:
    """Raw outputs for a batch of n pairs of length t.

    relevance, answerability: (n,). grounding: (n, 3) in the order of GROUNDING_LABELS.
    start, end, evidence: (n, t), meaningful on passage tokens only.
    """

    relevance: Tensor
    answerability: Tensor
    grounding: Tensor
    start: Tensor
    end: Tensor
    evidence: Tensor


def drawn(*shape: int, spread: float = 1.0) -> Tensor:
    """Normal random numbers; none on the device "meta", where drawing them imports a compiler for a second."""
    values = torch.empty(*shape)
    return values if values.is_meta else nn.init.normal_(values, std=spread)


def vectors(count: int, width: int, padding: int | None = None) -> nn.Embedding:
    """A table of vectors to be trained or loaded."""
    return nn.Embedding(count, width, padding_idx=padding, _weight=drawn(count, width))


class Encoder(nn.Module):
    def __init__(self, shape: Shape, dropout_share: float = 0.0) -> None:
        super().__init__()
        width = shape.width
        self.embeddings = nn.ModuleDict(
            {
                "word_embeddings": vectors(shape.vocabulary, width),
                "position_embeddings": vectors(shape.positions, width),
                "token_type_embeddings": vectors(2, width),
                "LayerNorm": nn.LayerNorm(width, eps=1e-12),
            }
        )
        layers = [_layer(width, shape.inner) for _ in range(shape.layers)]
        self.encoder = nn.ModuleDict({"layer": nn.ModuleList(layers)})
        self.heads = shape.heads
        self.dropout_share = dropout_share

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor, extra: Tensor) -> Tensor:
        """Hidden states (n, t, width); `extra` (width,) is added to every word vector."""
        parts = self.embeddings
        places = torch.arange(input_ids.shape[1], device=input_ids.device)
        hidden = parts["word_embeddings"](input_ids) + extra
        hidden = hidden + parts["position_embeddings"](places) + parts["token_type_embeddings"](token_type_ids)
        hidden = self._drop(parts["LayerNorm"](hidden))
        mask = attention_mask[:, None, None, :].bool()
        for layer in self.layers():
            hidden = self._layer(layer, hidden, mask)
        return hidden

    def words(self) -> nn.Embedding:
        return cast(nn.Embedding, self.embeddings["word_embeddings"])

    def layers(self) -> list[nn.ModuleDict]:
        return [cast(nn.ModuleDict, layer) for layer in cast(nn.ModuleList, self.encoder["layer"])]

    def _layer(self, layer: nn.ModuleDict, hidden: Tensor, mask: Tensor) -> Tensor:
        attention, mixing, output = (_part(layer, *path) for path in _PARTS)
        query, key, value = (self._split(attention[name](hidden)) for name in ("query", "key", "value"))
        if torch.is_grad_enabled():
            # On a CPU the backward pass of the fused kernel is twice as slow as plain attention.
            with torch.autocast(hidden.device.type, enabled=False):  # otherwise the softmax would run in float32
                scores = (query * query.shape[-1] ** -0.5) @ key.transpose(-1, -2)
                mixed = (scores + torch.where(mask, 0.0, -1e4).to(scores.dtype)).softmax(-1) @ value
        else:
            mixed = scaled_dot_product_attention(query, key, value, attn_mask=mask)
        hidden = self._add(mixing, hidden, mixed.transpose(1, 2).flatten(2))
        return self._add(output, hidden, gelu(_part(layer, "intermediate")["dense"](hidden)))

    def _add(self, part: nn.ModuleDict, hidden: Tensor, change: Tensor) -> Tensor:
        return cast(Tensor, part["LayerNorm"](hidden + self._drop(part["dense"](change))))

    def _split(self, states: Tensor) -> Tensor:
        rows, tokens, width = states.shape
        return states.view(rows, tokens, self.heads, width // self.heads).transpose(1, 2)

    def _drop(self, states: Tensor) -> Tensor:
        return dropout(states, self.dropout_share, self.training) if self.dropout_share else states


_PARTS = (("attention", "self"), ("attention", "output"), ("output",))


def _part(module: nn.ModuleDict, *names: str) -> nn.ModuleDict:
    for name in names:
        module = cast(nn.ModuleDict, module[name])
    return module


class CrossEncoderNetwork(nn.Module):
    """Reads "[CLS] question or claim [SEP] passage [SEP]" once for all heads."""

    def __init__(self, shape: Shape | None = None, *, dropout_share: float = 0.0) -> None:
        super().__init__()
        width = (shape or Shape()).width
        self.encoder = Encoder(shape or Shape(), dropout_share)
        self.task = vectors(len(TASKS), width)
        nn.init.zeros_(self.task.weight)
        self.relevance = _head(width, 1)
        self.answerability = _head(width, 1)
        self.grounding = _head(width, len(GROUNDING_LABELS))
        self.tokens = nn.Linear(width, 3)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor, task: int) -> Logits:
        """Score a batch; `task`, an index into TASKS, tells the encoder whether text A is a question or a claim."""
        hidden = self.encoder(input_ids, attention_mask, token_type_ids, self.task.weight[task])
        mask = attention_mask.unsqueeze(-1).to(hidden.dtype)
        mean = (hidden * mask).sum(1) / mask.sum(1)
        hidden = hidden.to(self.tokens.weight.dtype)
        summary = torch.cat([hidden[:, 0], mean.to(hidden.dtype)], dim=-1)
        start, end, evidence = self.tokens(hidden).float().unbind(-1)
        return Logits(
            relevance=self.relevance(summary).float().squeeze(-1),
            answerability=self.answerability(summary).float().squeeze(-1),
            grounding=self.grounding(summary).float(),
            start=start,
            end=end,
            evidence=evidence,
        )


def _layer(width: int, inner: int) -> nn.ModuleDict:
    def output(inputs: int) -> nn.ModuleDict:
        return nn.ModuleDict({"dense": nn.Linear(inputs, width), "LayerNorm": nn.LayerNorm(width, eps=1e-12)})

    heads = nn.ModuleDict({name: nn.Linear(width, width) for name in ("query", "key", "value")})
    return nn.ModuleDict(
        {
            "attention": nn.ModuleDict({"self": heads, "output": output(width)}),
            "intermediate": nn.ModuleDict({"dense": nn.Linear(width, inner)}),
            "output": output(inner),
        }
    )


def _head(width: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(2 * width, width), nn.GELU(), nn.Linear(width, outputs))
