"""Attention within rows of tokens: padded to one length, or one after another without padding."""

import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from lectorium.providers.batching import padded

STEP = 16  # numbers of tokens read at once are multiples of it
Attention = Callable[[Tensor, Tensor, Tensor], Tensor]  # of queries, keys and values, (…, width) each


def padded_attention(bias: Tensor, attention_mask: Tensor) -> Attention:
    """Attention within padded rows. Fixed shapes suit training, and one kernel for all rows suits a GPU.

    bias: of relative positions, (1, heads, tokens, tokens). attention_mask: (rows, tokens), 1 on a row's tokens.
    """
    added = bias + (1 - attention_mask[:, None, None, :].to(bias.dtype)) * -1e4

    def attend(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        query, key, value = (_by_head(states, bias.shape[1]) for states in (query, key, value))
        if torch.is_grad_enabled() and query.device.type == "cpu":
            # On a CPU the backward pass of the fused kernel is twice as slow as plain attention.
            scores: Tensor = (query * query.shape[-1] ** -0.5) @ key.transpose(-1, -2) + added
            mixed = scores.softmax(-1) @ value
        else:
            mixed = scaled_dot_product_attention(query, key, value, attn_mask=added)
        return mixed.transpose(1, 2).flatten(2)

    return attend


def attention_by_row(bias: Tensor, lengths: Sequence[int]) -> Attention:
    """Attention within rows of these lengths that stand one after another.

    bias: of relative positions, (1, heads, tokens, tokens), for the longest of them.
    """
    own, sizes = [bias[..., :length, :length].contiguous() for length in lengths], list(lengths)

    def attend(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        rows = zip(*(states.split_with_sizes(sizes) for states in (query, key, value)), own, strict=True)
        return torch.cat([_within(*row) for row in rows])

    return attend


def _within(query: Tensor, key: Tensor, value: Tensor, bias: Tensor) -> Tensor:
    """One row's attention, (tokens, width) from three of that shape."""
    query, key, value = (_by_head(states.unsqueeze(0), bias.shape[1]) for states in (query, key, value))
    return scaled_dot_product_attention(query, key, value, attn_mask=bias)[0].transpose(0, 1).flatten(1)


def _by_head(states: Tensor, heads: int) -> Tensor:
    """(rows, heads, tokens, width of a head) from (rows, tokens, width)."""
    rows, tokens, width = states.shape
    return states.view(rows, tokens, heads, width // heads).transpose(1, 2)


def rounded(tokens: int) -> int:
    """`tokens` rounded up, by at most a sixteenth of them above STEP: torch keeps code for every number in bfloat16."""
    step = max(STEP, 1 << max(0, tokens.bit_length() - 5))
    return padded(tokens, step)


def relative_buckets(tokens: int, buckets: int, longest: int = 128) -> Tensor:
    """The bucket of each pair of positions, (tokens, tokens): exact when near, logarithmic up to `longest`.

    Source: Raffel et al. 2020 (T5); MPNet uses the same rule.
    """
    half = buckets // 2
    places = torch.arange(tokens)
    distance = places[:, None] - places[None, :]
    before = (distance < 0).long() * half
    distance = distance.abs()
    exact = half // 2
    far = exact + (torch.log(distance.float().clamp_min(1) / exact) / math.log(longest / exact) * (half - exact)).long()
    return before + torch.where(distance < exact, distance, far.clamp_max(half - 1))
