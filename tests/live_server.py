"""The real application behind a real port, in a thread of the tests' process."""

import asyncio
import threading
import time

import uvicorn

from lectorium.asgi import application
from tests.ports import free_port


class LiveServer:
    """Serves until the block ends; `drop_connections` closes every open one, as a network that breaks does."""

    def __init__(self):
        self.port = free_port()
        config = uvicorn.Config(application, port=self.port, log_level="error", lifespan="off", ws="none")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run)

    def _run(self):
        self._loop = asyncio.new_event_loop()
        self._loop.run_until_complete(self._server.serve())
        self._loop.close()

    def __enter__(self):
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)
        return self

    def __exit__(self, *error):
        self._server.should_exit = True
        self._thread.join(20)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def drop_connections(self):
        for connection in list(self._server.server_state.connections):
            self._loop.call_soon_threadsafe(connection.transport.abort)
