from typing import Any

from django.contrib.postgres.operations import CreateExtension
from django.db import NotSupportedError
from django.db.utils import Error


class NeededExtension(CreateExtension):
    """Creates a PostgreSQL extension; on failure, explains what to install on the server.

    Refuses a database that is not in UTF-8: the first name with a diacritic would fail in the middle of an import.
    """

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        with schema_editor.connection.cursor() as cursor:
            cursor.execute("SHOW server_encoding")
            [encoding] = cursor.fetchone()
        if encoding != "UTF8":
            raise NotSupportedError(
                f"The database has the encoding {encoding}, which cannot hold every text. Make another and name it in "
                "DATABASE_URL: CREATE DATABASE … OWNER … ENCODING 'UTF8' TEMPLATE template0."
            )
        try:
            super().database_forwards(app_label, schema_editor, from_state, to_state)
        except (Error, NotSupportedError) as error:
            raise NotSupportedError(
                f"The database server cannot provide the extension {self.name!r} ({str(error).strip()}). Install it "
                "there (pgvector 0.8 or newer for 'vector'), let a superuser run CREATE EXTENSION once, or unset "
                "DATABASE_URL to use the embedded server."
            ) from error
