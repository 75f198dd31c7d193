"""Django's PostgreSQL backend that starts the embedded server when a connection first needs it."""
