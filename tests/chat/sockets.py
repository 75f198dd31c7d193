"""A reader at the other end of a real socket application."""

from channels.testing import WebsocketCommunicator
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore

from lectorium.asgi import application

ORIGIN = b"http://localhost"


class Tab(WebsocketCommunicator):
    """A socket whose end is never a CancelledError, after which pytest would leave out the ends of other fixtures."""

    async def send_input(self, message):
        if not self.future.cancelled():  # waiting for an event in vain cancels the application
            await super().send_input(message)

    async def connect(self):
        """Connect, and take the event that says that the socket delivers."""
        connected, code = await super().connect()
        if connected:
            assert (await self.receive_json_from(timeout=5))["type"] == "ready"
        return connected, code


def session_for(user=None):
    """Return a stored session, signed in as `user` where one is given."""
    session = SessionStore()
    if user is not None:
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return session


def socket(session=None, origin=ORIGIN, languages="", cookies=""):
    headers = [(b"host", b"localhost"), (b"accept-language", languages.encode())]
    if origin is not None:
        headers.append((b"origin", origin))
    if session is not None:
        held = "; ".join(filter(None, (f"sessionid={session.session_key}", cookies)))
        headers.append((b"cookie", held.encode()))
    return Tab(application, "/ws/chat/", headers=headers)


async def until_done(communicator):
    """Return the events up to the one that ends the turn."""
    events = []
    while not events or events[-1]["type"] not in {"done", "error"}:
        events.append(await communicator.receive_json_from(timeout=20))
    return events
