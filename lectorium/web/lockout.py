"""Locks accounts and addresses out after too many wrong passwords."""

from typing import Any

from axes.attempts import get_cool_off_threshold
from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_cool_off, get_failure_limit
from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from lectorium.web.proxies import sender


class LockoutHandler(AxesDatabaseHandler):  # type: ignore[misc]  # axes has no types
    """Counts failures by name and address, and by address alone with a higher limit, against trying many names."""

    def get_failures(self, request: Any, credentials: dict[str, Any] | None = None) -> int:
        """The failures that count; at least the limit where the address has reached its own."""
        failures = int(super().get_failures(request, credentials))
        recent = AccessAttempt.objects.filter(
            ip_address=request.axes_ip_address, attempt_time__gte=get_cool_off_threshold(request)
        )
        from_address = recent.aggregate(all=Sum("failures_since_start"))["all"] or 0
        locks = from_address >= settings.ADDRESS_FAILURE_LIMIT
        return max(failures, get_failure_limit(request, credentials)) if locks else failures


def too_many_attempts(request: HttpRequest, *known: Any) -> HttpResponse:
    """429 with the seconds until sign-in is possible again; every attempt before restarts them."""
    seconds = round(get_cool_off(request).total_seconds())
    answer = render(request, "429.html", status=429)
    answer.headers["Retry-After"] = str(seconds)
    return answer


def client_address(request: HttpRequest) -> str | None:
    return sender(request.META.get("REMOTE_ADDR"), request.META.get("HTTP_X_FORWARDED_FOR", ""))
