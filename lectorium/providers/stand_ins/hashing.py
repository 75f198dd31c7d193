"""An embedder without a model: hashed words, so similarity is word overlap. For tests."""

import hashlib
import re
from collections.abc import Sequence

import numpy as np

from lectorium.providers.protocols import Matrix, TokenSpans

_WORD = re.compile(r"\w+")


class HashingEmbedder:
    max_tokens = 256

    def __init__(self, width: int = 64) -> None:
        self.width = width
        self.name = "hashing" if width == 64 else f"hashing-{width}"

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        vectors = np.zeros((len(texts), self.width), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in _WORD.findall(text.lower()):
                vectors[row, int(hashlib.sha256(word.encode()).hexdigest()[:8], 16) % self.width] += 1.0
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.where(norms == 0, 1, norms), dtype=np.float32)

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        return self.embed_passages(texts)

    def token_spans(self, text: str) -> TokenSpans:
        return [match.span() for match in _WORD.finditer(text)]
