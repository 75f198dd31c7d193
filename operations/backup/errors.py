class BackupError(RuntimeError):
    """The backup or restore failed without changing anything; the message says why, and contains no password."""
