from typing import Any

from django.contrib.postgres.operations import CreateExtension
from django.db import NotSupportedError
from django.db.utils import Error


class NeededExtension(CreateExtension):
    """Creates a PostgreSQL extension; on failure, explains what to install on the server."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        try:
            super().database_forwards(app_label, schema_editor, from_state, to_state)
        except (Error, NotSupportedError) as error:
            raise NotSupportedError(
                f"The database server cannot provide the extension {self.name!r} ({str(error).strip()}). Install it "
                "there (pgvector 0.8 or newer for 'vector'), let a superuser run CREATE EXTENSION once, or unset "
                "DATABASE_URL to use the embedded server."
            ) from error
