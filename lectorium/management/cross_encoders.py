"""The cross-encoder as commands use it: loaded before any output is written."""

from django.core.management.base import CommandError

from lectorium.providers import registry
from lectorium.providers.errors import ProviderError
from lectorium.providers.protocols import Reranker, Verifier


def ready_verifier() -> Verifier:
    """Return the verifier, warmed. Raises CommandError, saying what to do, where its weights are missing."""
    model = registry.verifier()
    try:
        model.verify([("Warm.", "Warm.")])
    except ProviderError as error:
        raise CommandError(str(error)) from error
    return model


def ready_reranker() -> Reranker:
    """Return the configured reranker, else the cross-encoder, warmed. Raises CommandError where it cannot answer."""
    model = registry.reranker() or registry.reader()
    try:
        model.rerank("Warm?", ["Warm."])
    except ProviderError as error:
        raise CommandError(str(error)) from error
    return model
