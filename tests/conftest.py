"""What every test shares: no real model and no network unless marked, and a fake embedder that needs neither."""

import socket

import pytest

from lectorium.providers import guard, registry
from lectorium.providers.hashing import HashingEmbedder


@pytest.fixture(autouse=True)
def models_are_guarded(request):
    """Serve the hashing embedder and forbid real models, except to tests marked `model` or `e2e`."""
    if {"model", "e2e"} & {mark.name for mark in request.node.iter_markers()}:
        yield
        return
    registry.replace_embedder(HashingEmbedder())
    with guard.closed():
        yield
    registry.replace_embedder(None)


@pytest.fixture(autouse=True)
def network_is_guarded(request, monkeypatch):
    """Refuse connections to other machines; loopback and Unix sockets are the database and our own servers."""
    connect = socket.socket.connect

    def guarded(sock, address):
        if sock.family in {socket.AF_INET, socket.AF_INET6} and address[0] not in {"127.0.0.1", "::1", "localhost"}:
            raise guard.ModelForbidden(f"connection to {address[0]} in a test")
        return connect(sock, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
