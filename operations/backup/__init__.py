"""One archive of what answers depend on, and the way back.

making     backup_make: the database as of one moment, recordings, calibrations
restoring  backup_restore: checked first, built beside the database in use, then put in its place at once
archive    the file: a ZIP that appears whole or not at all, and is checked whole before it is believed
manifest   what the archive says of itself
files      recordings and calibrations, out of their places and back into them
programs   pg_dump and pg_restore
beside     the database that a restore builds and swaps in
newest     when this machine last made one
"""

from operations.backup.errors import BackupError
from operations.backup.make import backup_make
from operations.backup.restore import backup_restore

__all__ = ["BackupError", "backup_make", "backup_restore"]
