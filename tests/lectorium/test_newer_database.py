import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.urls import reverse

from lectorium import database_start
from lectorium.database_start import unknown_migrations
from operations import diagnosis

pytestmark = pytest.mark.django_db
SENTENCE = r"newer release.*does not know chat\.9999_from_tomorrow\. Run the newer release, or restore"


@pytest.fixture
def newer(db):
    MigrationRecorder(connection).record_applied("chat", "9999_from_tomorrow")


def test_every_migration_that_is_applied_is_known():
    assert unknown_migrations(MigrationRecorder(connection).applied_migrations()) == []


def test_an_app_that_is_no_longer_installed_is_ignored():
    assert unknown_migrations([("dropped", "0001_initial"), ("chat", "9998_x")]) == [("chat", "9998_x")]


def test_migrate_refuses_a_database_of_a_newer_release(newer):
    with pytest.raises(CommandError, match=SENTENCE):
        call_command("migrate", verbosity=0)


def test_worker_and_preparation_refuse_it(newer, monkeypatch):
    monkeypatch.setattr(database_start.connections, "close_all", lambda: None)  # the test's transaction goes on
    with pytest.raises(CommandError, match=SENTENCE):
        database_start.wait_for_database(print)


def test_a_web_process_is_not_ready_with_it_and_the_doctor_says_so(newer, client):
    response = client.get(reverse("readyz"))
    assert response.status_code == 503
    assert "chat.9999_from_tomorrow" in response.json()["missing"][0]
    ok, says = diagnosis.CHECKS["migrations"]()
    assert not ok
    assert "chat.9999_from_tomorrow" in says
