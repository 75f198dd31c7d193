"""Django's PostgreSQL backend, which starts the embedded server on demand."""
