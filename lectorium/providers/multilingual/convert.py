"""Writes a packed model as a folder of sentence-transformers, which any processor with torch can run."""

import json
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

from .packed import PackedModel

SPECIAL = {"bos": "<s>", "pad": "<pad>", "eos": "</s>", "unk": "<unk>", "mask": "<mask>"}
PROMPTS = {"query": "query: ", "document": "passage: "}
# The tensors of a layer, and their names in transformers; each has a weight (.w) and a bias (.b).
_LAYER = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
_MODULES = [
    {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
    {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
]


def write_folder(model: PackedModel, folder: Path) -> None:
    """Write the model into an empty folder, its weights as 16-bit floats."""
    save_file(weights_of(model), folder / "model.safetensors", metadata={"format": "pt"})
    tokenizer_of(model).save(str(folder / "tokenizer.json"))
    (folder / "1_Pooling").mkdir()
    (folder / "2_Normalize").mkdir()
    pooling = {"word_embedding_dimension": model.width, "pooling_mode_mean_tokens": True}
    tokens = {f"{name}_token": text for name, text in SPECIAL.items()}
    files = {
        "config.json": _config(model),
        "modules.json": _MODULES,
        "1_Pooling/config.json": pooling,
        "sentence_bert_config.json": {"max_seq_length": model.positions, "do_lower_case": False},
        "config_sentence_transformers.json": {"prompts": PROMPTS, "similarity_fn_name": "cosine"},
        "tokenizer_config.json": {
            "tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": model.positions, **tokens,
        },
        "special_tokens_map.json": tokens,
    }  # fmt: skip
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content, indent=1), encoding="utf-8")


def _config(model: PackedModel) -> dict[str, object]:
    return {
        "architectures": ["BertModel"],
        "model_type": "bert",
        "vocab_size": model.vocabulary,
        "hidden_size": model.width,
        "num_hidden_layers": model.layers,
        "num_attention_heads": model.heads,
        "intermediate_size": model.inner,
        "hidden_act": "gelu",
        "max_position_embeddings": model.positions,
        "type_vocab_size": model.types,
        "layer_norm_eps": model.epsilon,
        "pad_token_id": 1,
        "dtype": "float16",
    }


def weights_of(model: PackedModel) -> dict[str, torch.Tensor]:
    """Weights by their names in transformers. The pooler is unused; zeros spare a warning that it is missing."""
    found = {
        "pooler.dense.weight": np.zeros((model.width, model.width)),
        "pooler.dense.bias": np.zeros(model.width),
        "embeddings.word_embeddings.weight": model.matrix("emb.word"),
        "embeddings.position_embeddings.weight": model.matrix("emb.pos"),
        "embeddings.token_type_embeddings.weight": model.matrix("emb.type"),
        "embeddings.LayerNorm.weight": model.tensors["emb.ln.w"],
        "embeddings.LayerNorm.bias": model.tensors["emb.ln.b"],
    }
    for layer in range(model.layers):
        for short, name in _LAYER.items():
            weight, bias = f"l{layer}.{short}.w", f"l{layer}.{short}.b"
            is_norm = short.endswith("ln")
            found[f"encoder.layer.{layer}.{name}.weight"] = model.tensors[weight] if is_norm else model.matrix(weight)
            found[f"encoder.layer.{layer}.{name}.bias"] = model.tensors[bias]
    return {name: torch.from_numpy(np.ascontiguousarray(values, dtype=np.float16)) for name, values in found.items()}


def tokenizer_of(model: PackedModel) -> Tokenizer:
    """SentencePiece's unigram tokenizer over the model's pieces, with the special tokens of XLM-RoBERTa."""
    tokenizer = Tokenizer(models.Unigram([*model.pieces], unk_id=model.unknown, byte_fallback=False))
    spaces = normalizers.Replace(Regex(" {2,}"), " ")
    tokenizer.normalizer = normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC(), spaces])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.add_special_tokens([AddedToken(text, special=True, normalized=False) for text in SPECIAL.values()])
    ends = [(text, tokenizer.token_to_id(text)) for text in (SPECIAL["bos"], SPECIAL["eos"])]
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=ends
    )
    return tokenizer
