"""Embeds on a second thread while the first one imports, so that the model does not wait for the end of the import."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connections

from corpus.indexing.embedding import OnProgress, embed_changed

EVERY = 2.0  # seconds between two runs


@contextmanager
def embedding_meanwhile(on_progress: OnProgress | None = None) -> Iterator[None]:
    """Embed what the block stores. What it stored last is left for another run.

    An error of a run is printed and ends the thread. An error of the block does not wait for a run that goes on.
    """
    ended = threading.Event()

    def embed() -> None:
        try:
            while not ended.wait(EVERY):
                embed_changed(on_progress=on_progress)
        finally:
            connections.close_all()

    thread = threading.Thread(target=embed, name="embedding", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
    thread.join()
