"""Makes a backup: a snapshot of the database, then the files it names."""

from collections.abc import Callable
from pathlib import Path

from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from operations.backup.archive import Writer, blocks_of, written
from operations.backup.errors import BackupError
from operations.backup.files import calibrations_add, media_add
from operations.backup.manifest import DUMP, MEDIA, Manifest
from operations.backup.newest import record_newest
from operations.backup.programs import program_for, running, server_major
from operations.backup.schema import applied, row_counts

# Ownership and replication belong to the server, not to the site.
DUMPED = ("--format=custom", "--no-owner", "--no-privileges", "--no-comments", "--no-publications")


def backup_make(*, path: Path, say: Callable[[str], object]) -> None:
    """Write the archive to `path`, replacing an earlier one; the site may be in use. Raises BackupError."""
    if not path.parent.is_dir():
        raise BackupError(f"There is no folder {path.parent} to write the backup to.")
    try:
        with written(path) as archive:
            archive.describe(_fill(archive, say))
    except OSError as error:
        raise BackupError(f"{path} cannot be written: {error.strerror or error}.") from error
    except DatabaseError as error:
        raise BackupError(f"The database cannot be backed up: {' '.join(str(error).split())}") from error
    record_newest(path.name)


def _fill(archive: Writer, say: Callable[[str], object]) -> Manifest:
    from corpus.models import EmbeddingSpace, Lecture

    server = server_major()
    program = program_for("pg_dump", server)
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        # Counts and dump share a snapshot.
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        snapshot = cursor.fetchone()[0]
        counts, migrations = row_counts(), applied()
        serving = EmbeddingSpace.objects.filter(state=EmbeddingSpace.State.SERVING)
        space = serving.only("model", "dtype").first()  # an older release's table lacks newer columns
        recorded = set(Lecture.objects.exclude(media="").values_list("media", flat=True))
        say(f"Database: {sum(counts.values()):,} rows in {len(counts)} tables")
        database = connection.settings_dict["NAME"]
        with running(program, [*DUMPED, f"--snapshot={snapshot}"], database) as dumping:
            assert dumping.stdout
            archive.add(DUMP, blocks_of(dumping.stdout))
    say(f"Recordings and uploads: {media_add(archive)} files")
    if lost := {name for name in recorded if f"{MEDIA}/{name}" not in archive.members}:
        say(f"Missing, so not in the backup: {', '.join(sorted(lost))}")
    calibrations_add(archive)
    return Manifest(
        made_at=timezone.now().isoformat(),
        server=server,
        program=program.major,
        space=str(space or ""),
        migrations=migrations,
        counts=counts,
        members=archive.members,
    )
