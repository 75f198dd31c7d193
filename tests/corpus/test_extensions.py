import pytest
from django.db import NotSupportedError, connection

from corpus.extensions import NeededExtension

NAME = "test_of_another_encoding"


@pytest.fixture
def of_another_encoding(transactional_db):
    """A database with an encoding that cannot hold every character."""
    with connection.cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{NAME}"')
        cursor.execute(f"CREATE DATABASE \"{NAME}\" ENCODING 'SQL_ASCII' TEMPLATE template0 LOCALE 'C'")
    other = connection.copy()
    other.settings_dict = {**connection.settings_dict, "NAME": NAME, "OPTIONS": {}}
    yield other
    other.close()
    with connection.cursor() as cursor:
        cursor.execute(f'DROP DATABASE "{NAME}" WITH (FORCE)')


def test_a_database_with_another_encoding_is_refused_before_anything_is_made(of_another_encoding):
    with (
        of_another_encoding.schema_editor() as editor,
        pytest.raises(NotSupportedError, match=r"SQL_ASCII.*ENCODING 'UTF8' TEMPLATE template0"),
    ):
        NeededExtension("pg_trgm").database_forwards("corpus", editor, None, None)
