"""A base model with random weights that fits in a few kilobytes, laid out like the real one."""

import json
from pathlib import Path

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

from lectorium.providers.mpnet.network import MPNetNetwork, MPNetShape

WORDS = "it rained snowed on sunday nobody came when did cats sleep . , ?".split()
VOCABULARY = {word: place for place, word in enumerate(["<s>", "<pad>", "</s>", "[UNK]", *WORDS])}
TINY = MPNetShape(vocabulary=len(VOCABULARY), width=24, inner=48, layers=3, heads=2, positions=300)


def tiny_network(seed: int = 1) -> MPNetNetwork:
    torch.manual_seed(seed)
    return MPNetNetwork(TINY)


def tiny_tokenizer() -> Tokenizer:
    tokenizer = Tokenizer(WordLevel(VOCABULARY, unk_token="[UNK]"))
    tokenizer.normalizer = Lowercase()
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B:1 </s>:1", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    return tokenizer


def fast_tokenizer():
    from transformers import PreTrainedTokenizerFast

    return PreTrainedTokenizerFast(
        tokenizer_object=tiny_tokenizer(),
        pad_token="<pad>",
        model_max_length=512,
        model_input_names=["input_ids", "attention_mask"],
    )


def write_base(folder: Path) -> Path:
    """Write the tiny base into a folder and return it."""
    folder.mkdir(parents=True)
    weights = {
        name: tensor.contiguous()
        for name, tensor in tiny_network().encoder.state_dict().items()
        if not name.endswith((".a", ".b"))
    }
    save_file(weights, folder / "model.safetensors")
    tiny_tokenizer().save(str(folder / "tokenizer.json"))
    config = {
        "vocab_size": TINY.vocabulary,
        "hidden_size": TINY.width,
        "intermediate_size": TINY.inner,
        "num_hidden_layers": TINY.layers,
        "num_attention_heads": TINY.heads,
        "max_position_embeddings": TINY.positions,
        "relative_attention_num_buckets": TINY.buckets,
    }
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder
