"""Errors of model providers, in one tree. The class says whether asking again may help; `error_of_status` reads HTTP.

ProviderError
├── PermanentError   asking again will not help
│   ├── WrongKey         the service does not know our key, or denies it this model
│   ├── ModelMissing     the service or folder has no such model
│   ├── ContextTooLong   the messages and the wanted answer exceed what the model can hold
│   ├── Garbled          an answer that is not what the protocol says: a web page, broken JSON
│   └── BudgetReached    today's budget is used
└── TransientError   asking again may help
    ├── Unreachable      refused, no such host, connection lost before the answer began
    ├── TooSlow          no word within the time allowed
    ├── RateLimited      the service asks us to wait
    ├── ServerFault      HTTP 5xx, or an error sent within the stream
    ├── CutOff           the stream ended before the model had
    ├── EmptyAnswer      the stream ended without a word
    └── CircuitOpen      the service failed too often in a row and is left alone for a while
"""

from typing import ClassVar


class ProviderError(Exception):
    """A model could not do what it was asked. The message never carries a key."""

    retryable: ClassVar[bool] = False
    fault: ClassVar[str] = "provider_error"  # one word for warnings, records and metrics

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        """Take what happened, and the seconds the service asked us to wait, where it said so."""
        super().__init__(message)
        self.retry_after = retry_after


class PermanentError(ProviderError):
    """Asking again will not help."""

    fault = "refused_request"


class WrongKey(PermanentError):
    fault = "wrong_key"


class ModelMissing(PermanentError):
    fault = "model_missing"


class ContextTooLong(PermanentError):
    fault = "context_too_long"


class Garbled(PermanentError):
    fault = "garbled"


class BudgetReached(PermanentError):
    fault = "budget_reached"


class TransientError(ProviderError):
    """Asking again may help."""

    retryable = True
    fault = "unavailable"


class Unreachable(TransientError):
    fault = "unreachable"


class TooSlow(TransientError):
    fault = "too_slow"


class RateLimited(TransientError):
    fault = "rate_limited"


class ServerFault(TransientError):
    fault = "server_fault"


class CutOff(TransientError):
    fault = "cut_off"


class EmptyAnswer(TransientError):
    fault = "empty_answer"


class CircuitOpen(TransientError):
    fault = "circuit_open"


_BY_STATUS: dict[int, type[ProviderError]] = {
    401: WrongKey,
    403: WrongKey,
    404: ModelMissing,
    408: TooSlow,
    413: ContextTooLong,
    429: RateLimited,
    504: TooSlow,
}
# What services say in a 400 when the messages are too long; none of them has a status of its own for it.
_TOO_LONG = ("context length", "context_length", "too long", "maximum context", "max_model_len", "too many tokens")
_NO_CREDIT = "insufficient_quota"  # a 429 that waiting does not cure


def error_of_status(status: int, message: str, *, retry_after: float | None = None) -> ProviderError:
    """Return the error that an HTTP status and the service's words mean."""
    said = message.lower()
    if status == 400 and any(words in said for words in _TOO_LONG):
        return ContextTooLong(message)
    if status == 429 and _NO_CREDIT in said:
        return PermanentError(message)
    kind = _BY_STATUS.get(status) or (ServerFault if status >= 500 else PermanentError)
    return kind(message, retry_after=retry_after)
