"""Loads the models when a web process starts, so that the first reader does not wait."""

import logging
import threading
import time

from django.db import connections

from corpus.multilingual import multilingual_space
from corpus.selectors import serving_space, space_embedder
from lectorium.providers.memory_release import unused_memory
from lectorium.providers.registry import clip_reader, reader, reranker

log = logging.getLogger(__name__)
RETRY_SECONDS = 30.0
_thread: threading.Thread | None = None
_failed_at: float | None = None


def begin() -> None:
    """Start loading in the background; /readyz reports not ready until it is done."""
    global _thread
    _thread = threading.Thread(target=_load, name="warming", daemon=True)
    _thread.start()


def is_under_way() -> bool:
    return _thread is not None and _thread.is_alive()


def has_failed() -> bool:
    """Whether the models could not be loaded, so that no question can be answered."""
    return _failed_at is not None


def retry() -> None:
    """Load again if the last failure was a while ago: the file may have been repaired."""
    if _failed_at is not None and time.monotonic() - _failed_at > RETRY_SECONDS and not is_under_way():
        begin()


def _load() -> None:
    try:
        _load_models()
        _try_languages()
        _try_reranker()
    finally:
        unused_memory.release()  # what loading took beside the models
        connections.close_all()


def _load_models() -> None:
    global _failed_at
    try:
        space_embedder(serving_space()).embed_questions(["Warm."])
        for model in filter(None, (reader(), clip_reader())):
            model.read("Warm?", ["Warm."])
        _failed_at = None
    except Exception:
        _failed_at = time.monotonic()
        log.exception("The models could not be loaded; every question will fail until they can.")


def _try_languages() -> None:
    try:
        if space := multilingual_space():
            space_embedder(space).embed_questions(["Warm."])
    except Exception:
        log.exception("The model of the multilingual space could not be loaded; it serves no question until it can.")


def _try_reranker() -> None:
    try:
        if model := reranker():
            model.rerank("Warm?", ["Warm."])
    except Exception:
        log.exception("The reranker of LECTORIUM_RERANKER does not answer.")
