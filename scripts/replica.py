"""Make a streaming replica of the embedded database server, to try REPLICA_URL on one machine.

    .venv/bin/python scripts/replica.py FOLDER         # starts both servers and prints the replica's REPLICA_URL
    .venv/bin/python scripts/replica.py FOLDER --stop

FOLDER holds the replica's data; one that was made before is started again. The primary is the server of
LECTORIUM_STATE.
"""

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lectorium.postgres import EmbeddedPostgres, PostgresError
from lectorium.postgres.place import Place
from lectorium.postgres.programs import package_folder, reachable_programs


def start_replica(primary: EmbeddedPostgres, folder: Path) -> EmbeddedPostgres:
    """Start a server on `folder` that follows the primary; copy its data first where there is none.

    Raises PostgresError.
    """
    primary.ensure_running()
    replica = EmbeddedPostgres(folder)
    replica.place.make_home()
    if not replica.place.data.exists():
        _copy(primary, replica.place)
    replica.ensure_running()
    return replica


def url_of(server: EmbeddedPostgres) -> str:
    """Its address as REPLICA_URL takes it."""
    address = server.address
    return f"postgres://{address.user}@/{address.database}?host={address.socket_dir}&port={address.port}"


def _copy(primary: EmbeddedPostgres, place: Place) -> None:
    """Copy into a folder beside it and rename, so that a copy that is killed leaves no half of one."""
    side = Path(tempfile.mkdtemp(prefix="data.copy-", dir=place.home))
    os.chown(side, place.account.uid, place.account.gid)
    source = primary.address
    program = reachable_programs(place, package_folder()) / "pg_basebackup"
    server = ["-h", str(source.socket_dir), "-p", str(source.port), "-U", source.user]
    copied = place.account.run([program, *server, "-D", side, "-R", "-c", "fast"], folder=side)
    if copied.returncode:
        shutil.rmtree(side, ignore_errors=True)
        raise PostgresError(f"pg_basebackup failed:\n{copied.stdout.strip()}")
    side.rename(place.data)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--stop", action="store_true", help="stop the replica")
    asked = parser.parse_args()
    if asked.stop:
        print("stopped" if EmbeddedPostgres(asked.folder).stop() else "it was not running")
        return
    from django.conf import settings

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")
    if settings.EMBEDDED_POSTGRES is None:
        parser.error("DATABASE_URL names the primary: make its replica with pg_basebackup.")
    try:
        print(f"REPLICA_URL={url_of(start_replica(settings.EMBEDDED_POSTGRES, asked.folder))}")
    except PostgresError as error:
        parser.exit(1, f"{error}\n")


if __name__ == "__main__":
    main()
