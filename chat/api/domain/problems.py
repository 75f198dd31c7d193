"""How an error is written: problem details (RFC 9457) under /api/v1/, and OpenAI's shape under /v1/."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

PROBLEM_JSON = "application/problem+json"
REFERENCE = "/api/v1/docs"  # the page that explains every code
TITLES: Mapping[str, str] = MappingProxyType(
    {
        "bad_request": "The request cannot be read",
        "parse_error": "The body is not JSON",
        "not_authenticated": "A token is needed",
        "authentication_failed": "The token is not valid",
        "permission_denied": "The token may not do this",
        "not_found": "Nothing is here",
        "model_not_found": "There is no such model",
        "method_not_allowed": "The address does not take this method",
        "unsupported_media_type": "The body is not sent as JSON",
        "conflict": "It does not fit the state of what it is about",
        "key_reused": "The idempotency key belongs to another question",
        "throttled": "Too many requests",
        "busy": "Too many questions or searches",
        "interrupted": "The question was stopped",
        "uncalibrated": "The site is not set up to answer",
        "not_recorded": "The answer could not be recorded",
        "failed": "Something failed on our side",
        "unavailable": "The site cannot answer right now",
    }
)
OTHER = "The request failed"
WHAT_TO_DO: Mapping[str, str] = MappingProxyType(
    {
        "bad_request": "Correct what `where` names, and send the request again.",
        "parse_error": "Send a JSON object.",
        "not_authenticated": "Send `Authorization: Bearer TOKEN`.",
        "authentication_failed": "Make a new token with `manage.py api_token create`, or in admin.",
        "permission_denied": "Use a token with more access, or ask an administrator for the right.",
        "not_found": "Check the address. What the token's owner may not see looks the same as what does not exist.",
        "model_not_found": "Use a model that `GET /v1/models` lists.",
        "method_not_allowed": "Use a method of this page.",
        "unsupported_media_type": "Send `Content-Type: application/json`.",
        "conflict": "Read it again, and send what fits.",
        "key_reused": "Use a new key for each question; send a key again only with the same body.",
        "throttled": "Wait for the seconds of `Retry-After`.",
        "busy": "Wait for the seconds of `Retry-After`, or for a question of yours to end.",
        "interrupted": "Ask again, with a new idempotency key if you send one.",
        "uncalibrated": "Tell the operator: `manage.py doctor` says what is missing.",
        "not_recorded": "Ask again in a moment.",
        "failed": "Ask again in a moment; if it stays so, tell the operator, who finds it in the log.",
        "unavailable": "Wait for the seconds of `Retry-After`, and send the request again.",
    }
)


def title_of(code: str) -> str:
    return TITLES.get(code, OTHER)


@dataclass(frozen=True, slots=True)
class ApiError:
    """An error as a client is told it. where: the field, parameter or header that is wrong, "" for none."""

    status: int
    code: str
    message: str
    where: str = ""

    def as_problem(self, title: str) -> dict[str, Any]:
        """Problem details. title: of the code, in the reader's language.

        `error` repeats the code and the message for clients written before there were any.
        """
        return {
            "type": f"{REFERENCE}#{self.code}",
            "title": title,
            "status": self.status,
            "detail": self.message,
            "code": self.code,
            "where": self.where or None,
            "error": {"code": self.code, "message": self.message},
        }

    def as_openai(self) -> dict[str, Any]:
        """The body that OpenAI's clients read."""
        kind = "invalid_request_error"
        if self.status >= 500:
            kind = "server_error"
        elif self.status == 429:
            kind = "rate_limit_error"
        return {"error": {"message": self.message, "type": kind, "param": self.where or None, "code": self.code}}
