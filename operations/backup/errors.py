"""The one error of backing up and restoring."""


class BackupError(RuntimeError):
    """It cannot be done, and nothing was changed; the message says why and what to do, and holds no password."""
