"""Embedders that sentence-transformers can load, by name or folder; the default is a package with its weights."""

import json
import threading
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from tokenizers import Tokenizer

from .batching import STEP, padded, padding_step
from .freeing import unused_memory
from .precision import dtype_of
from .protocols import Matrix, TokenSpans, Vector
from .remembering import Remembered

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

BATCH_TOKENS = 4096
QUESTIONS = 1024  # whose vectors are remembered: a turn embeds its own again at every look, and for its sentences


class SentenceTransformersEmbedder:
    """Encodes on this machine; loaded on first use, because an import only counts tokens and torch takes seconds."""

    def __init__(self, name: str, path: str | Path, *, dtype: str = "auto", threads: int = 2) -> None:
        """Take a model from a folder or by name; `dtype` is auto, float32 or bfloat16."""
        self.name = name
        self._path = Path(path)
        self._source = str(path)
        self._dtype = dtype
        self._threads = threads
        self._lock = threading.Lock()
        self._questions: Remembered[str, Vector] = Remembered(QUESTIONS)

    @cached_property
    def width(self) -> int:
        pooling = self._path / "1_Pooling" / "config.json"
        if pooling.is_file() and not (self._path / "2_Dense").exists():
            return int(json.loads(pooling.read_text(encoding="utf-8"))["word_embedding_dimension"])
        return int(self._model.get_embedding_dimension() or 0)

    @cached_property
    def max_tokens(self) -> int:
        limits = self._path / "sentence_bert_config.json"
        if limits.is_file():
            return int(json.loads(limits.read_text(encoding="utf-8"))["max_seq_length"])
        return int(self._model.max_seq_length or 256)

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        vectors = np.zeros((len(texts), self.width), dtype=np.float32)
        with self._lock:  # two encodes at once on few cores are slower than one after the other
            for width, places in self._by_width(texts).items():
                batch = max(1, BATCH_TOKENS // (width or STEP))
                vectors[places] = self._encode([texts[place] for place in places], batch)
        unused_memory.now_and_then()
        return vectors

    def _by_width(self, texts: Sequence[str]) -> dict[int, list[int]]:
        """Return the texts' places by padded width: mixed, half of what a turn's sentences take would be padding."""
        places: dict[int, list[int]] = {}
        for place, one in enumerate(self._tokenizer.encode_batch(texts)):
            places.setdefault(padded(min(len(one.ids), self.max_tokens)), []).append(place)
        return places

    def _encode(self, texts: list[str], batch: int) -> Matrix:
        vectors = self._model.encode(
            texts,
            batch_size=batch,
            normalize_embeddings=True,
            convert_to_tensor=True,
            show_progress_bar=False,
            processing_kwargs={"text": {"pad_to_multiple_of": padding_step(self.max_tokens)}},
        )
        return np.asarray(vectors.float().numpy(), dtype=np.float32)

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        vectors = self._questions.of(texts, lambda new: [*self.embed_passages(new)])
        return np.stack(vectors) if vectors else self.embed_passages([])

    def token_spans(self, text: str) -> TokenSpans:
        return list(self._tokenizer.encode(text, add_special_tokens=False).offsets)

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        stored = self._path / "tokenizer.json"
        tokenizer = Tokenizer.from_file(str(stored)) if stored.is_file() else self._model.tokenizer.backend_tokenizer
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _model(self) -> "SentenceTransformer":
        import torch
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        torch.set_num_threads(self._threads)
        model = SentenceTransformer(self._source, device="cpu", model_kwargs={"dtype": dtype_of(self._dtype)})
        model.eval()
        return model
