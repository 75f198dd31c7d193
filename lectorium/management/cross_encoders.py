"""The cross-encoder as commands use it: loaded before any output is written."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.core.management.base import CommandError

from lectorium.providers.errors import ProviderError

if TYPE_CHECKING:
    from lectorium.providers.cross_encoder import CrossEncoder


def ready_cross_encoder() -> "CrossEncoder":
    """Return the cross-encoder with its weights loaded. Raises CommandError, saying what to do, where it has none."""
    from lectorium.providers.cross_encoder import CrossEncoder  # torch takes seconds: a bad file need not wait

    model = CrossEncoder(threads=settings.MODEL_THREADS)
    try:
        model.warm()
    except ProviderError as error:
        raise CommandError(str(error)) from error
    return model
