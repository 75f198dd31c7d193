"""The versions of everything an answer depends on, so that a stored or cached answer can be told from today's."""

import hashlib

from django.conf import settings

from chat.answering.calibrations import MissingCalibration, calibration_of, calibration_path
from corpus.models import EmbeddingSpace
from corpus.multilingual import multilingual_space
from corpus.selectors import corpus_version, serving_space, words_version
from curation.lookup import curation_version
from lectorium.ladder.selectors import ladder_version
from lectorium.providers.registry import embedder


def current_versions(*, multilingual: bool = False) -> tuple[EmbeddingSpace | None, dict[str, str]]:
    """The space that answers now, and the versions of everything that an answer from it depends on.

    multilingual: whether the question is in a language that only a multilingual embedder can read.
    """
    space = multilingual_space() if multilingual else serving_space()
    return space, versions(space)


def versions(space: EmbeddingSpace | None) -> dict[str, str]:
    """The version of each thing that an answer depends on; `space` is the one that is searched."""
    model = space.model if space else embedder().name
    return {
        "corpus": corpus_version(),
        "words": words_version(),
        "curation": curation_version(),
        "ladder": ladder_version(),
        "calibration": f"{calibration_path(model).stem}@{_fitted(space)}",
        "space": str(space or ""),
        "indexed": space.indexed_at.isoformat() if space and space.indexed_at else "",
        "policy": " ".join(filter(None, (settings.POLICY, settings.HIGH_RISK_POLICY, _specific()))),
        "readers": " ".join(filter(None, (settings.CROSS_ENCODER, settings.RERANKER, settings.RERANKER_MODEL))),
    }


def _specific() -> str:
    return f"specificity {settings.MIN_SPECIFICITY:g}" if settings.MIN_SPECIFICITY else ""


def _fitted(space: EmbeddingSpace | None) -> str:
    try:
        return hashlib.sha256(repr(calibration_of(space)).encode()).hexdigest()[:12]
    except MissingCalibration:
        return ""
