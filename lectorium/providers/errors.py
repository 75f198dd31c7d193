"""Errors of model providers, in one tree.

ProviderError
├── PermanentError   asking again will not help: wrong key, unknown model, malformed request
└── TransientError   asking again may help: time-out, overload, connection lost
"""


class ProviderError(Exception):
    """A model could not do what it was asked."""


class PermanentError(ProviderError):
    """Asking again will not help."""


class TransientError(ProviderError):
    """Asking again may help."""
