"""Requests to services that answer in one piece: with deadlines and retries, and with our errors for their faults."""

import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx

from lectorium.providers import cancellation
from lectorium.providers.deadlines import Deadlines, retry_after_seconds
from lectorium.providers.endpoint import Endpoint
from lectorium.providers.errors import Garbled, ProviderError, TooSlow, TransientError, Unreachable, error_of_status

MESSAGE_CHARS = 200  # characters of a service's message in an error
ANSWER_BYTES = 32 << 20  # of one answer; a longer one is nonsense


class ServicePoster:
    """POSTs to one service. `service` names it in errors, which never contain its key. Redirects are not followed."""

    def __init__(self, service: str, endpoint: Endpoint, patience: Deadlines) -> None:
        self.service = service
        self._endpoint, self._patience = endpoint, patience
        headers = {"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
        self._client = httpx.Client(headers=headers)

    def post(self, path: str, *, file: Path | None = None, **body: Any) -> bytes:
        """The answer; transient faults are retried within `patience.whole` seconds.

        file: sent as the form's field "file", from disk. body: `json` or `data`, as httpx has them. A slowly answering
        service may take up to `patience.silence` longer. Raises TransientError or PermanentError, and StoppedError
        once this context's stop signal is set.
        """
        attempt, wait, until = 1, 0.0, time.monotonic() + self._patience.whole
        while True:
            cancellation.check(wait)
            try:
                return self._ask(path, file, body, until)
            except TransientError as error:
                attempt += 1
                asked = self._patience.wait_before(attempt, error)
                if asked is None or time.monotonic() + asked >= until:
                    raise
                wait = asked

    def quoted(self, said: bytes | bytearray) -> str:
        """The beginning of what the service said, with the key masked."""
        return repr(self._endpoint.masked(said.decode(errors="replace"))[:MESSAGE_CHARS])

    def close(self) -> None:
        self._client.close()

    def _ask(self, path: str, file: Path | None, body: dict[str, Any], until: float) -> bytes:
        left = max(0.001, until - time.monotonic())  # sockets need a positive timeout
        timeout = httpx.Timeout(min(self._patience.silence, left), connect=min(self._patience.connect, left))
        said = bytearray()
        try:
            with ExitStack() as opened:
                files = {"file": (file.name, opened.enter_context(file.open("rb")))} if file else None
                asked = self._client.stream("POST", f"{self._endpoint.url}{path}", files=files, timeout=timeout, **body)
                response = opened.enter_context(asked)
                for chunk in response.iter_bytes():
                    said += chunk
                    if time.monotonic() > until:
                        raise self._too_slow()
                    if len(said) > ANSWER_BYTES:
                        raise Garbled(f"{self.service} answered more than {ANSWER_BYTES >> 20} MB")
        except httpx.RequestError as error:
            raise self._error_of(error) from None  # the library's error contains the request with its key
        if response.is_success:
            return bytes(said)
        message = f"{self.service}: HTTP {response.status_code}: {self.quoted(said)}"
        raise error_of_status(response.status_code, message, retry_after=retry_after_seconds(response.headers))

    def _error_of(self, error: httpx.RequestError) -> ProviderError:
        if isinstance(error, httpx.TimeoutException) and not isinstance(error, httpx.ConnectTimeout):
            return self._too_slow()
        kind = Garbled if isinstance(error, httpx.DecodingError) else Unreachable
        return kind(f"{self.service}: {type(error).__name__}: {self._endpoint.masked(str(error))}")

    def _too_slow(self) -> TooSlow:
        patience = self._patience
        return TooSlow(
            f"{self.service} sent nothing for {patience.silence:g} s, or did not finish in {patience.whole:g} s"
        )
