"""Look-ups on a read replica (REPLICA_URL). Where it cannot serve them, the primary does, and says why."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

import psycopg
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, InterfaceError, connections

from lectorium.metrics import REPLICA_FALLBACKS
from lectorium.threads import replica_threads

T = TypeVar("T")

CHECKED_EVERY = 10.0  # seconds
CHECK_SECONDS = 2.0  # for the replica to answer a check
LOOK_UP_SECONDS = 5.0  # for all lanes of a turn
BEHIND_SECONDS = 60.0  # a replica that is further behind does not serve

# Seconds behind the primary. A replica that receives all and has replayed it is not behind, however long the primary
# was idle; one that receives nothing is as old as its last transaction.
_BEHIND = """
    SELECT CASE WHEN NOT pg_is_in_recovery() THEN 0
        WHEN EXISTS (SELECT FROM pg_stat_wal_receiver) AND pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
        ELSE coalesce(extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()), 0) END::float8"""

_reading: ContextVar[bool] = ContextVar("reading from the replica", default=False)
log = logging.getLogger(__name__)


@contextmanager
def replica_reads() -> Iterator[None]:
    """Send the reads of this block to the replica, if configured."""
    token = _reading.set(True)
    try:
        yield
    finally:
        _reading.reset(token)


async def look_up(work: Callable[[], Awaitable[T]]) -> tuple[T, str]:
    """What `work` returns, read from the replica, or from the primary if the replica cannot serve; and why it cannot.

    Without a replica a failed look-up is repeated once: the server may have been restarted.
    """
    trouble = await replica.trouble()
    if not trouble:
        try:
            async with asyncio.timeout(LOOK_UP_SECONDS if replica.exists else None):
                with replica_reads(), replica_threads():
                    return await work(), ""
        except (DatabaseError, InterfaceError, TimeoutError) as error:
            log.warning("A look-up failed; retrying on the primary.", exc_info=True)
            trouble = replica.failed(error)
    if trouble:
        REPLICA_FALLBACKS.inc()
    return await work(), trouble


class Replica:
    """What this process knows of the replica's state: looked at every `CHECKED_EVERY` seconds, and when it fails."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Look again at the next question."""
        self._trouble, self._looked_at = "", float("-inf")

    @property
    def exists(self) -> bool:
        return bool(settings.LOOK_UP_DATABASE != DEFAULT_DB_ALIAS)

    async def trouble(self) -> str:
        """Why it cannot serve, as the end of a sentence; "" if it can, or if there is none."""
        if self.exists and time.monotonic() - self._looked_at > CHECKED_EVERY:
            self._looked_at = time.monotonic()  # others go on with what is known
            self._note(await _trouble_of(str(settings.LOOK_UP_DATABASE)))
        return self._trouble if self.exists else ""

    def failed(self, error: Exception) -> str:
        """Note a failed look-up; return the trouble, "" where there is no replica."""
        if not self.exists:
            return ""
        self._looked_at = time.monotonic()
        self._note("does not answer in time" if isinstance(error, TimeoutError) else f"fails: {type(error).__name__}")
        return self._trouble

    def _note(self, trouble: str) -> None:
        if trouble and not self._trouble:
            log.warning("The replica %s; look-ups go to the primary.", trouble)
        elif self._trouble and not trouble:
            log.warning("The replica serves look-ups again.")
        self._trouble = trouble


async def _trouble_of(alias: str) -> str:
    """Ask the database. Without a thread, which a replica that hangs would keep."""
    asked = connections[alias].get_connection_params()
    asked.pop("cursor_factory", None)  # of connections that are not asynchronous
    try:
        async with (
            asyncio.timeout(CHECK_SECONDS),
            await psycopg.AsyncConnection.connect(**asked, autocommit=True) as connection,
        ):
            row = await (await connection.execute(_BEHIND)).fetchone()
    except TimeoutError:
        return "does not answer in time"
    except psycopg.Error:
        return "cannot be reached"
    behind = row[0] if row else 0.0
    return f"is {behind:.0f} s behind the primary" if behind > BEHIND_SECONDS else ""


replica = Replica()


class ReplicaRouter:
    """Django's database router: everything on the primary, except reads inside `replica_reads`."""

    def db_for_read(self, model: Any, **hints: Any) -> str:
        return str(settings.LOOK_UP_DATABASE) if _reading.get() else DEFAULT_DB_ALIAS

    def db_for_write(self, model: Any, **hints: Any) -> str:
        return DEFAULT_DB_ALIAS

    def allow_relation(self, one: Any, other: Any, **hints: Any) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return db == DEFAULT_DB_ALIAS
