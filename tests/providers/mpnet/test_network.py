"""The network of the big reader: new adapters and padding change nothing, and the frozen part stays frozen."""

from copy import deepcopy

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn.functional import pad

from lectorium.providers.mpnet.attention import relative_buckets, rounded
from lectorium.providers.mpnet.network import LoRALinear

from .tiny import TINY, tiny_network


@pytest.fixture
def network():
    return tiny_network().eval()


def inputs(rows=2, tokens=9):
    ids = torch.randint(4, TINY.vocabulary, (rows, tokens), generator=torch.Generator().manual_seed(3))
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}


def test_a_new_adapter_changes_nothing():
    torch.manual_seed(0)
    layer = LoRALinear(6, 4, rank=2, alpha=4.0)
    x = torch.randn(3, 6)
    assert torch.equal(layer(x), torch.nn.functional.linear(x, layer.weight, layer.bias))
    torch.nn.init.ones_(layer.b)
    assert torch.allclose(layer(x), torch.nn.functional.linear(x, layer.weight + 2 * layer.b @ layer.a, layer.bias))


def test_a_merged_adapter_scores_the_same(network):
    for layer in network.modules():
        if isinstance(layer, LoRALinear):
            torch.nn.init.normal_(layer.b, std=0.2)
    with torch.inference_mode():
        apart = network(**inputs())
        network.merge_adapter()
        merged = network(**inputs())
    assert not any(isinstance(layer, LoRALinear) for layer in network.modules())
    assert torch.allclose(apart.relevance, merged.relevance, atol=1e-5)
    assert torch.allclose(apart.grounding, merged.grounding, atol=1e-5)


def test_padding_changes_no_score(network):
    alone = inputs()
    beside = {
        "input_ids": pad(alone["input_ids"], (0, 5), value=1),
        "attention_mask": pad(alone["attention_mask"], (0, 5)),
    }
    with torch.inference_mode():
        one, other = network(**alone), network(**beside)
    assert torch.allclose(one.grounding, other.grounding, atol=1e-5)
    assert torch.allclose(one.start, other.start[:, :9], atol=1e-5)


@pytest.mark.parametrize("lengths", [(9, 9), (8, 8), (9, 3, 1), (16,)])
def test_padded_rows_are_trained_on_as_rows_without_padding_are_scored(network, lengths):
    batch = inputs(len(lengths), max(lengths))
    for row, length in enumerate(lengths):
        batch["attention_mask"][row, length:] = 0
    learning = network(**batch)
    with torch.inference_mode():
        scoring = network(**batch)
    assert torch.allclose(learning.relevance, scoring.relevance, atol=1e-5)
    for row, length in enumerate(lengths):
        assert torch.allclose(learning.start[row, :length], scoring.start[row, :length], atol=1e-5)


@given(st.integers(1, 5000))
def test_numbers_of_tokens_are_few_and_cost_little(tokens):
    found = rounded(tokens)
    assert tokens <= found <= max(tokens + 15, tokens * 17 / 16)
    assert rounded(found) == found
    assert len({rounded(number) for number in range(1, 4097)}) <= 80


def test_only_the_adapter_learns(network):
    before = deepcopy(network.state_dict())
    trained = dict(network.trained())
    optimizer = torch.optim.SGD(trained.values(), lr=0.1)
    logits = network(**inputs())
    (logits.grounding.square().sum() + logits.start.square().sum() + logits.relevance.square().sum()).backward()
    optimizer.step()
    changed = {name for name, tensor in network.state_dict().items() if not torch.equal(tensor, before[name])}
    assert changed <= trained.keys()
    assert "encoder.encoder.layer.2.attention.attn.q.b" in changed
    assert not any(name.startswith(("encoder.encoder.layer.0.", "encoder.encoder.layer.1.")) for name in trained)


def test_the_real_adapter_stays_within_sixteen_megabytes():
    from lectorium.providers.mpnet.network import MPNetNetwork

    with torch.device("meta"):
        size = sum(parameter.numel() for _, parameter in MPNetNetwork().trained())
    assert 2 * size < 16e6


def test_buckets_are_those_of_the_published_model():
    buckets = relative_buckets(200, 32)
    assert buckets[0, :3].tolist() == [0, 17, 18]
    assert buckets[:3, 0].tolist() == [0, 1, 2]
    assert int(buckets.max()) == 31
    assert int(buckets[199, 0]) == 15
