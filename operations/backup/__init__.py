"""Backs up the database, recordings and calibrations to one archive, and restores them.

make           backup_make: a consistent snapshot of the site in use
restore        backup_restore: checks the archive, builds a database beside the one in use, then swaps them
archive        the ZIP file, written atomically and verified before use
manifest       the archive's table of contents
files          recordings and calibrations
programs       pg_dump and pg_restore
database_swap  the database that a restore builds and swaps in
newest         when this machine last made a backup
"""

from operations.backup.errors import BackupError
from operations.backup.make import backup_make
from operations.backup.restore import backup_restore

__all__ = ["BackupError", "backup_make", "backup_restore"]
