"""Errors in the shape of their address (chat/api/domain/problems.py). A code is stable; a message is for people."""

import logging
from typing import Any

from django.db import Error as DatabaseFault
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext_noop as _
from django.views.defaults import bad_request as bad_request_page
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response

from chat.answering.calibrations import MissingCalibration
from chat.answering.domain.query.asked_scope import BadScope
from chat.answering.domain.query.checks import BadMessage
from chat.answering.domain.refusals import UNCALIBRATED
from chat.api.domain.problems import PROBLEM_JSON, ApiError, title_of
from chat.conversations.feedback import FeedbackRefused, TurnNotFound
from chat.conversations.local_words import local_message
from chat.conversations.services import ConversationNotFound
from chat.live.admission import TooManyTurns
from chat.live.turn_runner import UNAVAILABLE
from lectorium.providers.errors import ProviderError

log = logging.getLogger(__name__)

BUSY_SECONDS = 5  # after which a request that failed on our side may be sent again
NO_TOKEN = _("Send your API token with each request: Authorization: Bearer TOKEN.")
FAILED = _("Something went wrong on our side. Please try again in a moment.")
UNREADABLE = _("The address or a header of the request cannot be read: send no NUL byte, and fewer parameters.")
OPENAI = "/v1/"
NOTHING_HERE = _("There is nothing here that this token may see.")


class TurnFailed(exceptions.APIException):
    """The turn ended in a fault that its reader was told of; text sent before it does not count."""

    def __init__(self, code: str, message: str, *, retryable: bool) -> None:
        super().__init__(message, code)
        self.status_code = 503 if retryable else 500


class NoSuchModel(exceptions.NotFound):
    default_code = "model_not_found"
    where = "model"


class KeyReused(exceptions.APIException):
    """An idempotency key came again with another body."""

    status_code = 422
    default_code = "key_reused"
    default_detail = _(
        "This Idempotency-Key was sent with another body in the last day. Use a new key for each question, "
        "and send a key again only with the same body."
    )
    where = "Idempotency-Key"


def answer(error: Exception, context: dict[str, Any]) -> Response:
    """The response to a view's error. An unexpected one is logged, and described in general words."""
    status, code, message, headers = error_parts(error)
    told = ApiError(status, code, local_message(message), where_of(error))
    if is_openai(context["request"]):
        return Response(told.as_openai(), status=status, headers=headers)
    return Response(told.as_problem(_title(code)), status=status, headers=headers, content_type=PROBLEM_JSON)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The answer to a request that Django cannot read: a page, and an error under the addresses of the API."""
    if not request.path.startswith(("/api/", OPENAI)):
        return bad_request_page(request, exception)
    told = ApiError(400, "bad_request", local_message(UNREADABLE))
    if is_openai(request):
        return JsonResponse(told.as_openai(), status=400)
    return JsonResponse(told.as_problem(_title(told.code)), status=400, content_type=PROBLEM_JSON)


def _title(code: str) -> str:
    return local_message(title_of(code))


def is_openai(request: Request | HttpRequest) -> bool:
    return request.path.startswith(OPENAI)


def where_of(error: Exception) -> str:
    """The field, parameter or header that the error is about, "" for none."""
    return "scope" if isinstance(error, BadScope) else getattr(error, "where", "")


def error_parts(error: Exception) -> tuple[int, str, str, dict[str, str]]:
    """(status, code, message, headers) of an error. An unexpected one is logged."""
    match error:
        case exceptions.APIException():
            return _framework_parts(error)
        case BadMessage() | BadScope():
            return 400, "bad_request", str(error), {}
        case FeedbackRefused():
            if error.status == 429:
                return 429, "throttled", str(error), {"Retry-After": "60"}
            return 409, "conflict", str(error), {}
        case ConversationNotFound() | TurnNotFound() | Http404():
            return 404, "not_found", NOTHING_HERE, {}
        case TooManyTurns():
            return 429, "busy", str(error), {"Retry-After": str(error.seconds)}
        case MissingCalibration():
            return 500, "uncalibrated", UNCALIBRATED, {}
    log.error("a request of the API failed", exc_info=error)
    if isinstance(error, DatabaseFault | ProviderError):
        return 503, "unavailable", UNAVAILABLE, {"Retry-After": str(BUSY_SECONDS)}
    return 500, "failed", FAILED, {}


def _framework_parts(error: exceptions.APIException) -> tuple[int, str, str, dict[str, str]]:
    code, message = str(error.get_codes()), str(error.detail)
    match error:
        case exceptions.NotAuthenticated() | exceptions.AuthenticationFailed():
            told = NO_TOKEN if isinstance(error, exceptions.NotAuthenticated) else message
            return 401, code, told, {"WWW-Authenticate": str(getattr(error, "auth_header", ""))}
        case exceptions.Throttled():
            seconds = str(max(1, round(getattr(error, "wait", None) or 1)))
            message = f"Too many requests in a minute. Please go on in {seconds} seconds."
            return 429, code, message, {"Retry-After": seconds}
    return error.status_code, code, message, {}
