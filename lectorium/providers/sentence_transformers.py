"""Embedders that sentence-transformers can load, by name or folder; the default is a package with its weights."""

import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from sentence_transformers import SentenceTransformer

from .protocols import Matrix, TokenSpans

BATCH = 64


class SentenceTransformersEmbedder:
    """Encodes on this machine. Texts are sorted by length within a call, so mixed lengths waste no padding."""

    def __init__(self, name: str, path: str | Path, *, dtype: str = "auto", threads: int = 2) -> None:
        """Load the model. Raises OSError where `path` holds none; `dtype` is auto, float32 or bfloat16."""
        torch.set_num_threads(threads)
        self.name = name
        self._model = SentenceTransformer(str(path), device="cpu", model_kwargs={"dtype": _dtype(dtype)})
        self._model.eval()
        self.width = int(self._model.get_embedding_dimension() or 0)
        self.max_tokens = int(self._model.max_seq_length or 256)
        self._lock = threading.Lock()

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        if not texts:
            return np.zeros((0, self.width), dtype=np.float32)
        with self._lock:  # two encodes at once on few cores are slower than one after the other
            vectors = self._model.encode(
                list(texts),
                batch_size=BATCH,
                normalize_embeddings=True,
                convert_to_tensor=True,
                show_progress_bar=False,
            )
        return np.asarray(vectors.float().numpy(), dtype=np.float32)

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        return self.embed_passages(texts)

    def token_spans(self, text: str) -> TokenSpans:
        encoded = self._model.tokenizer(
            text, add_special_tokens=False, return_offsets_mapping=True, truncation=False, verbose=False
        )
        return [(int(start), int(end)) for start, end in encoded["offset_mapping"]]


def _dtype(name: str) -> torch.dtype:
    if name == "auto":
        fast = "avx512_bf16" in _cpu_flags()
        return torch.bfloat16 if fast else torch.float32
    return {"float32": torch.float32, "bfloat16": torch.bfloat16}[name]


def _cpu_flags() -> str:
    try:
        return Path("/proc/cpuinfo").read_text(encoding="ascii", errors="ignore")
    except OSError:
        return ""
