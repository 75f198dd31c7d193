"""Rate limits: requests of an account with all its tokens together, and of an address without a valid token."""

import logging
from types import SimpleNamespace
from typing import Any, cast

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import UserRateThrottle

log = logging.getLogger(__name__)


class AccountThrottle(UserRateThrottle):
    """Counts in the cache, across all processes that share it. Without a reachable cache, requests pass."""

    def get_rate(self) -> str:
        return f"{settings.API_PER_MINUTE}/min"

    def allow_request(self, request: Request, view: Any) -> bool:
        try:
            return bool(super().allow_request(request, view))
        except Exception as error:  # noqa: BLE001 - each backend has its own; its words may hold a password
            log.warning("The cache cannot be used, so the API's requests are not counted: %s", type(error).__name__)
            return True

    def throttle_failure(self) -> bool:
        """Refuse, unless requests were counted by a clock that ran ahead and was set right since; forget those."""
        counted = [moment for moment in self.history if moment <= self.now]
        if len(counted) == len(self.history):
            return False
        self.history = counted
        return bool(self.throttle_success())


class StrangerThrottle(AccountThrottle):
    """Counts the requests of a network address that bring no valid token."""

    scope = "stranger"

    def get_cache_key(self, request: Request, view: Any) -> str:
        return self.cache_format % {"scope": self.scope, "ident": request}


def count_stranger(address: str) -> None:
    """Count a request without a valid token. Raises Throttled."""
    throttle = StrangerThrottle()
    if not throttle.allow_request(cast(Request, address), None):
        raise Throttled(throttle.wait())


def count_call(user: AbstractBaseUser) -> None:
    """Count a call that does not come through REST with the account's requests. Raises Throttled."""
    throttle = AccountThrottle()
    if not throttle.allow_request(cast(Request, SimpleNamespace(user=user)), None):
        raise Throttled(throttle.wait())
