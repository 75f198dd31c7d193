"""The web server: Daphne, which leaves forms to Django, closes a socket with a code, and shuts down in bounded time."""

import logging
import os
import sys
import threading
from typing import Any

import daphne.server
from daphne import http_protocol, ws_protocol
from daphne.cli import CommandLineInterface

LEAVE_SECONDS = 8.0  # Docker kills after 10

log = logging.getLogger(__name__)


class Request(http_protocol.WebRequest):  # type: ignore[misc] # Daphne has no types
    """Passes the body on unparsed."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options, parsePOSTFormSubmission=False)


class SocketFactory(ws_protocol.WebSocketFactory):  # type: ignore[misc]
    """Closes a socket that breaks the protocol with its code, such as 1009 after a message of over 1 MB.

    Otherwise the connection is dropped without a word.
    """

    def setProtocolOptions(self, **options: Any) -> None:  # noqa: N802 - Autobahn's name
        super().setProtocolOptions(**options, failByDrop=False)


def leave_in_time() -> None:
    """End this process even if a request's thread still waits, for example for a lock in the database.

    Python would wait for such a thread without limit. Nothing is lost: transactions that are open are rolled back.
    """
    leaving = threading.Timer(LEAVE_SECONDS, _leave)
    leaving.daemon = True
    leaving.start()


def _leave() -> None:
    log.warning("Stopped although a request did not end within %g s.", LEAVE_SECONDS)
    os._exit(0)


def refuse_newer_database() -> None:
    """Exit with a sentence if a newer release has migrated the database; while it is away, /readyz tells later."""
    import django
    from django.db import DatabaseError, connections

    from lectorium.database_start import NewerDatabase, check_not_newer

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")
    django.setup()
    try:
        check_not_newer()
    except NewerDatabase as error:
        sys.exit(str(error))
    except DatabaseError:
        log.warning("The database cannot be reached yet.")
    finally:
        connections.close_all()


if __name__ == "__main__":
    from twisted.internet import reactor  # after Daphne has installed its own

    http_protocol.WebRequest = Request
    daphne.server.WebSocketFactory = SocketFactory
    refuse_newer_database()
    reactor.addSystemEventTrigger("before", "shutdown", leave_in_time)  # type: ignore[arg-type]
    CommandLineInterface.entrypoint()
