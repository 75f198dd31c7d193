"""Cross-encoders for commands, loaded before any output is written."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError

from lectorium.providers import registry
from lectorium.providers.errors import ProviderError
from lectorium.providers.protocols import Reranker, Verifier


def ready_verifier() -> Verifier:
    """The verifier, loaded. Raises CommandError, with a remedy, where its weights are missing."""
    model = registry.verifier()
    with provider_errors_reported():
        model.verify([("Warm.", "Warm.")])
    return model


def ready_reranker() -> Reranker:
    """The configured reranker or else the cross-encoder, loaded. Raises CommandError."""
    model = registry.reranker() or registry.reader()
    with provider_errors_reported():
        model.rerank("Warm?", ["Warm."])
    return model


@contextmanager
def provider_errors_reported() -> Iterator[None]:
    """Turn ProviderError into CommandError."""
    try:
        yield
    except ProviderError as error:
        raise CommandError(str(error)) from error
