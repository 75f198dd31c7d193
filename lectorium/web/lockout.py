"""Who is kept from signing in after too many wrong passwords, for how long, and by which address they are known."""

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
    """Counts by name and address together, and by address alone up to a higher limit: one that tries many names."""

    def get_failures(self, request: Any, credentials: dict[str, Any] | None = None) -> int:
        """Return the failures that count; at least as many as lock where the address has reached its own limit."""
        failures = int(super().get_failures(request, credentials))
        recent = AccessAttempt.objects.filter(
            ip_address=request.axes_ip_address, attempt_time__gte=get_cool_off_threshold(request)
        )
        from_address = recent.aggregate(all=Sum("failures_since_start"))["all"] or 0
        locks = from_address >= settings.ADDRESS_FAILURE_LIMIT
        return max(failures, get_failure_limit(request, credentials)) if locks else failures


def too_many_attempts(request: HttpRequest, *known: Any) -> HttpResponse:
    """Answer 429 with the seconds after which signing in is heard again; each attempt before starts them anew."""
    seconds = round(get_cool_off(request).total_seconds())
    answer = render(request, "429.html", status=429)
    answer.headers["Retry-After"] = str(seconds)
    return answer


def client_address(request: HttpRequest) -> str | None:
    """Return the address that a request comes from; None where unknown."""
    return sender(request.META.get("REMOTE_ADDR"), request.META.get("HTTP_X_FORWARDED_FOR", ""))
