"""When a browser last signed in: what cannot be undone asks for a sign-in of the last minutes, or for the password."""

import time
from typing import Any

from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest

SIGNED_IN_AT = "signed_in_at"
FRESH_SECONDS = 300


def sign_in_note(request: HttpRequest, **sent: Any) -> None:
    request.session[SIGNED_IN_AT] = int(time.time())


def is_fresh(session: SessionBase) -> bool:
    return bool(time.time() - session.get(SIGNED_IN_AT, 0) < FRESH_SECONDS)
