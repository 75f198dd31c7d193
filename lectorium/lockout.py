"""Who is kept from signing in after too many wrong passwords, for how long, and by which address they are known."""

from ipaddress import ip_address
from typing import Any

from axes.attempts import get_cool_off_threshold
from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_cool_off, get_failure_limit
from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


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
    """Return the address that a request comes from, as the last proxy tells it that we trust; None where unknown.

    Of X-Forwarded-For only what trusted proxies appended counts: anybody can send the rest.
    """
    address: str | None = request.META.get("REMOTE_ADDR") or None
    hops = [hop.strip() for hop in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    while hops and _is_trusted(address):
        hop = hops.pop()
        if not _is_address(hop):
            break
        address = hop
    return address


def _is_trusted(address: str | None) -> bool:
    return address is not None and any(ip_address(address) in network for network in settings.TRUSTED_PROXIES)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
