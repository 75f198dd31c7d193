"""Errors of model providers. `error_of_status` maps HTTP statuses.

ProviderError
├── PermanentError   retrying does not help
│   ├── WrongKey         the service rejects our key, or its access to this model
│   ├── ModelMissing     the service or folder has no such model
│   ├── ContextTooLong   messages and answer exceed the model's context
│   ├── Garbled          the answer violates the protocol: a web page, broken JSON
│   └── BudgetReached    today's budget is used up
└── TransientError   retrying may help
    ├── Unreachable      refused, unknown host, connection lost before the answer
    ├── TooSlow          timeout
    ├── RateLimited      the service asks us to wait
    ├── ServerFault      HTTP 5xx, or an error within the stream
    ├── CutOff           the stream ended early
    ├── EmptyAnswer      the stream ended without text
    └── CircuitOpen      the service failed too often in a row
"""

from typing import ClassVar


class ProviderError(Exception):
    """A model call failed. The message never contains a key."""

    retryable: ClassVar[bool] = False
    fault: ClassVar[str] = "provider_error"  # code for warnings, records and metrics

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        """retry_after: seconds the service asked us to wait."""
        super().__init__(message)
        self.retry_after = retry_after


class PermanentError(ProviderError):
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
# Phrases in a 400 when the messages are too long; there is no status for it.
_TOO_LONG = ("context length", "context_length", "too long", "maximum context", "max_model_len", "too many tokens")
_NO_CREDIT = "insufficient_quota"  # a 429 that waiting does not cure


def error_of_status(status: int, message: str, *, retry_after: float | None = None) -> ProviderError:
    """The error for an HTTP status and the service's message."""
    said = message.lower()
    if status == 400 and any(words in said for words in _TOO_LONG):
        return ContextTooLong(message)
    if status == 429 and _NO_CREDIT in said:
        return PermanentError(message)
    kind = _BY_STATUS.get(status) or (ServerFault if status >= 500 else PermanentError)
    return kind(message, retry_after=retry_after)
