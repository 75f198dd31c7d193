"""The cross-encoder as commands use it: loaded before any output is written."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError

from lectorium.providers import registry
from lectorium.providers.errors import ProviderError
from lectorium.providers.protocols import Reranker, Verifier


def ready_verifier() -> Verifier:
    """Return the verifier, warmed. Raises CommandError, saying what to do, where its weights are missing."""
    model = registry.verifier()
    with faults_told():
        model.verify([("Warm.", "Warm.")])
    return model


def ready_reranker() -> Reranker:
    """Return the configured reranker, else the cross-encoder, warmed. Raises CommandError where it cannot answer."""
    model = registry.reranker() or registry.reader()
    with faults_told():
        model.rerank("Warm?", ["Warm."])
    return model


@contextmanager
def faults_told() -> Iterator[None]:
    """Raise CommandError, with the same words, where a model raises ProviderError."""
    try:
        yield
    except ProviderError as error:
        raise CommandError(str(error)) from error
