"""Rejects requests with a NUL byte in the URL. No valid URL contains one, and PostgreSQL cannot store it."""

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest
from django.urls import get_resolver
from django.utils.decorators import sync_and_async_middleware


@sync_and_async_middleware
def without_nul(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Answer 400 where the path or query contains a NUL byte; forms are checked by their fields."""
    if iscoroutinefunction(get_response):

        async def later(request: HttpRequest) -> Any:
            return _refused(request) if _has_nul(request) else await get_response(request)

        return later

    return lambda request: _refused(request) if _has_nul(request) else get_response(request)


def _refused(request: HttpRequest) -> Any:
    handler: Callable[..., Any] = get_resolver().resolve_error_handler(400)
    return handler(request, ValueError("The URL contains a NUL byte."))


def _has_nul(request: HttpRequest) -> bool:
    return "\0" in request.path or "%00" in request.META["QUERY_STRING"]
