"""What every test shares: no real model and no network unless marked, and stand-ins that need neither."""

import gc
import socket

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import TransactionTestCase, override_settings
from django.utils import translation
from hypothesis import settings

from lectorium.ladder import calls
from lectorium.providers import registry
from lectorium.providers.stand_ins import guard
from lectorium.providers.stand_ins.hashing import HashingEmbedder
from lectorium.providers.stand_ins.overlap import OverlapCrossEncoder
from tests import database

# `make test` tries few examples, `make test-slow` many; "long" is for whoever works on an importer or a parser.
settings.register_profile("short", max_examples=20, deadline=None)
settings.register_profile("slow", max_examples=500, deadline=None)
settings.register_profile("long", max_examples=5000, deadline=None)
settings.load_profile("short")


# Thousands of modules and tests stay until the end: looking through them again and again for garbage finds none.
gc.disable()


def pytest_collection_finish():
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)  # a twentieth of a test's time otherwise
    gc.enable()


NOT_QUICK = {"django_db", "e2e", "model", "network", "slow"}


def pytest_collection_modifyitems(items):
    """Run the browser journeys last: Playwright's loop stays open, and no other loop runs beside it."""
    items.sort(key=lambda item: "e2e" in {mark.name for mark in item.iter_markers()})
    for item in items:
        if not ({mark.name for mark in item.iter_markers()} & NOT_QUICK or "django_db_setup" in item.fixturenames):
            item.add_marker("quick")


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings, django_db_blocker):
    """Copy the test database from a migrated one, which is kept between runs."""
    with django_db_blocker.unblock():
        connection.settings_dict["TEST"]["TEMPLATE"] = database.template_database()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """After a test of whole transactions, put back the rows of a migrated database.

    Django would empty all tables instead, even of what migrations put in, and make the permissions again.
    """
    with django_db_blocker.unblock():
        migrated = database.Rows.now()

    def put_back(case):
        database.wait_for_threads()
        migrated.put_back()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", put_back)
        yield
    with django_db_blocker.unblock():
        database.end_other_sessions()


@pytest.fixture(scope="session")
def filled_once(django_db_setup):
    return database.FilledOnce()


@pytest.fixture(autouse=True, scope="session")
def passwords_cost_nothing():
    """Hash passwords the cheap way: half a second for each login is there to slow down strangers, not tests."""
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(autouse=True)
def nothing_is_cached_yet():
    """Empty the cache of this process: answers to the same corpus would be given again in the next test."""
    cache.clear()


@pytest.fixture(autouse=True)
def nothing_is_set_yet():
    """Forget the language that a request left in this thread, and the calls that a test collected outside any task."""
    translation.deactivate()
    calls._collected.set(None)


@pytest.fixture(autouse=True)
def models_are_guarded(request):
    """Serve stand-ins that compute by words, and forbid real models, but for the marks `model`, `network` and `e2e`."""
    if {"model", "network", "e2e"} & {mark.name for mark in request.node.iter_markers()}:
        yield
        registry.forget_chat_models()
        return
    stand_ins = {"embedder": HashingEmbedder()} | dict.fromkeys(
        ("reader", "verifier", "rewording_judge"), OverlapCrossEncoder()
    )
    for role, model in stand_ins.items():
        registry.replace_model(role, model)
    with guard.closed():
        yield
    for role in (*stand_ins, "reranker", "clip_reader"):
        registry.replace_model(role, None)


@pytest.fixture(autouse=True)
def network_is_guarded(request, monkeypatch):
    """Refuse connections to other machines; loopback and Unix sockets are the database and our own servers."""
    connect = socket.socket.connect

    def guarded(sock, address):
        if sock.family in {socket.AF_INET, socket.AF_INET6} and address[0] not in {"127.0.0.1", "::1", "localhost"}:
            raise guard.ModelForbidden(f"connection to {address[0]} in a test")
        return connect(sock, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
