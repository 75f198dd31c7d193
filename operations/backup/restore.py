"""Restores a backup. Everything is checked first, and the site in use only changes at the final swap."""

from collections.abc import Callable, Mapping
from pathlib import Path

from django.core.management import call_command
from django.db import DatabaseError, connection

from lectorium.database_start import unknown_migrations
from operations.backup.archive import Archive, blocks_of, opened
from operations.backup.database_swap import IN_USE, connected_to, database_beside, is_alone, swap_in
from operations.backup.errors import BackupError
from operations.backup.files import calibrations_restore, media_restored
from operations.backup.manifest import DUMP, MEDIA, Manifest
from operations.backup.programs import program_for, running, server_major
from operations.backup.schema import filled, row_counts

RESTORED = ("--exit-on-error", "--no-owner", "--no-privileges")
SHOWN = 4  # tables named in a refusal


def backup_restore(*, path: Path, replace: bool, say: Callable[[str], object]) -> Manifest:
    """Restore the archive at `path`. Raises BackupError without changing anything.

    replace: drop the contents of the database in use; otherwise a database with contents is refused.
    """
    try:
        with opened(path, say) as archive:
            manifest = archive.manifest
            _check_fits(manifest, replace)
            with database_beside() as beside:
                _build(archive, beside, say)
                say(f"Recordings and uploads: {len(archive.names(MEDIA))} files")
                with media_restored(archive):
                    swap_in(beside)
            _restore_calibrations(archive, say)
    except OSError as error:
        raise BackupError(f"{path} cannot be restored: {error}.") from error
    except DatabaseError as error:
        raise BackupError(f"{path} cannot be restored: {' '.join(str(error).split())}") from error
    return manifest


def _check_fits(manifest: Manifest, replace: bool) -> None:
    if newer := unknown_migrations(manifest.migrations):
        raise BackupError(
            f"The backup was made by a newer release: this one does not know {'.'.join(newer[-1])}. Update first."
        )
    if manifest.server > (here := server_major()):
        raise BackupError(
            f"The backup is of PostgreSQL {manifest.server} and this server is {here}: restore it into "
            f"{manifest.server} or later."
        )
    held = filled()
    if held and not replace:
        most = sorted(held, key=lambda table: held[table], reverse=True)[:SHOWN]
        says = ", ".join(f"{held[table]:,} rows in {table}" for table in most)
        raise BackupError(f"The database is not empty ({says}). --replace deletes what it holds.")
    if not is_alone():
        raise BackupError(IN_USE)


def _build(archive: Archive, beside: str, say: Callable[[str], object]) -> None:
    """Load the dump into the new database, compare it with the manifest, and migrate it to this release."""
    manifest = archive.manifest
    say(f"Database: {sum(manifest.counts.values()):,} rows in {len(manifest.counts)} tables")
    program = program_for("pg_restore", max(manifest.program, server_major()))
    with running(program, RESTORED, beside) as loading, archive.open(DUMP) as dump:
        assert loading.stdin
        for block in blocks_of(dump):
            loading.stdin.write(block)
    with connected_to(beside):
        _compare(manifest.counts, row_counts())
        call_command("migrate", verbosity=0, interactive=False)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # without statistics, plans read whole tables


def _restore_calibrations(archive: Archive, say: Callable[[str], object]) -> None:
    try:
        left = calibrations_restore(archive)
    except OSError as error:  # everything else is restored by now
        say(f"The calibrations could not be written ({error}): extract them from the backup, a ZIP file")
        return
    for name in left:
        say(f"The calibration {name} is kept: the backup's was fitted to another cross-encoder")


def _compare(said: Mapping[str, int], found: Mapping[str, int]) -> None:
    wrong = sorted(table for table in {*said, *found} if said.get(table) != found.get(table))
    if wrong:
        table = wrong[0]
        raise BackupError(
            f"{table} was backed up with {said.get(table)} rows but restored with {found.get(table)}; "
            "the database in use is unchanged."
        )
