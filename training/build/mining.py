"""Mines hard negatives: passages similar to a question that do not answer it."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from lectorium.providers.cross_encoder_model import Encoder
from lectorium.providers.precision import dtype_of
from training.base import load_base


def hard_negatives(questions: Sequence[str], passages: Sequence[str], *, depth: int = 30) -> list[list[int]]:
    """For each question, the indices of its `depth` most similar passages, nearest first.

    Similarity is the mean of the base embedder's cosine and the cosine of tf-idf vectors.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    words = TfidfVectorizer(sublinear_tf=True, min_df=2, stop_words="english")
    passage_words = words.fit_transform(passages)
    question_words = words.transform(questions)
    passage_vectors = embed(passages)
    question_vectors = embed(questions)
    found: list[list[int]] = []
    for start in range(0, len(questions), 256):
        block = slice(start, start + 256)
        likeness = question_vectors[block] @ passage_vectors.T
        likeness = likeness + (question_words[block] @ passage_words.T).toarray().astype(np.float32)
        top = np.argpartition(-likeness, depth, axis=1)[:, :depth]
        order = np.take_along_axis(-likeness, top, axis=1).argsort(axis=1)
        found.extend(np.take_along_axis(top, order, axis=1).tolist())
    return found


@cache
def _embedder() -> tuple[Encoder, Any]:
    network, tokenizer = load_base(dropout=0.0)
    return network.encoder.to(dtype_of("auto")).eval(), tokenizer


@torch.inference_mode()
def embed(texts: Sequence[str], *, tokens: int = 96) -> NDArray[np.float32]:
    """Unit vectors of the base embedder, shape (len(texts), 384), from each text's first `tokens` tokens."""
    encoder, tokenizer = _embedder()
    nothing = torch.zeros(384, dtype=next(encoder.parameters()).dtype)
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    vectors = np.zeros((len(texts), 384), dtype=np.float32)
    for start in range(0, len(order), 64):
        rows = order[start : start + 64]
        inputs = tokenizer(
            [texts[i] for i in rows], truncation=True, max_length=tokens, padding=True, return_tensors="pt"
        )
        hidden = encoder(**inputs, extra=nothing).float()
        mask = inputs["attention_mask"].unsqueeze(-1)
        mean = (hidden * mask).sum(1) / mask.sum(1)
        vectors[rows] = torch.nn.functional.normalize(mean, dim=-1).numpy()
    return vectors
