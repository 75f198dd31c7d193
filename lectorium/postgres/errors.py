class PostgresError(RuntimeError):
    """The embedded server cannot be started, reached or stopped; the message says why and what to do."""
