import pytest
from django.core.management import call_command, get_commands
from django.core.management.base import CommandError
from django.db import OperationalError, connection

from lectorium import database_start
from lectorium.postgres import EmbeddedPostgres


@pytest.fixture
def external(settings):
    settings.EMBEDDED_POSTGRES = None


def away_for(monkeypatch, times):
    """Refuse so many attempts; return the list of those that were made."""
    tried = []

    def ensure_connection():
        tried.append(True)
        if len(tried) <= times:
            raise OperationalError("connection failed:\n\tConnection refused")

    monkeypatch.setattr(connection, "ensure_connection", ensure_connection)
    monkeypatch.setattr(database_start, "check_not_newer", lambda: None)
    monkeypatch.setattr(database_start.time, "sleep", lambda seconds: None)
    return tried


def test_a_database_that_is_starting_is_waited_for_and_that_is_said_once(external, monkeypatch):
    tried, said = away_for(monkeypatch, 3), []
    database_start.wait_for_database(said.append)
    assert (len(tried), said) == (4, ["Waiting up to 60 s for the database."])


def test_the_embedded_server_is_started_by_one_attempt(settings, tmp_path, monkeypatch):
    settings.EMBEDDED_POSTGRES = EmbeddedPostgres(tmp_path)
    tried = away_for(monkeypatch, 1)
    with pytest.raises(CommandError):
        database_start.wait_for_database(print)
    assert len(tried) == 1


@pytest.mark.parametrize("command", ["prepare", "qcluster"])
def test_a_command_whose_database_stays_away_ends_with_one_sentence(external, monkeypatch, command):
    monkeypatch.setattr(database_start, "WAIT", 0)
    away_for(monkeypatch, 1)
    with pytest.raises(CommandError, match=r"cannot be reached\. Start it.*Connection refused\)$"):
        call_command(command)


def test_the_worker_is_ours():
    assert get_commands()["qcluster"] == "lectorium"
