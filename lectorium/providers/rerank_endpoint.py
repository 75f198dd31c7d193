"""A reranker behind HTTP, with the request format of vLLM and hosted services."""

import json
import math
import time
from collections.abc import Sequence
from typing import Any

import httpx

from . import cancellation
from .deadlines import Deadlines, retry_after_seconds
from .endpoint import Endpoint
from .errors import Garbled, ProviderError, TooSlow, TransientError, Unreachable, error_of_status
from .stand_ins import guard

PATIENCE = Deadlines(
    attempts=2, silence=10.0, whole=20.0
)  # short, because a reader waits and the shipped reader can order without it
MESSAGE_CHARS = 200  # characters of a service's message in an error


class RerankEndpoint:
    """POSTs {model, query, documents} to URL/rerank and reads results[{index, relevance_score}].

    Passages are sent whole, since only the service counts its tokens; it may refuse them (ContextTooLong) or cut them.
    """

    def __init__(self, endpoint: Endpoint, model: str, *, patience: Deadlines = PATIENCE) -> None:
        guard.check(f"rerank endpoint {endpoint.url}")
        self.name = model
        self._endpoint, self._patience = endpoint, patience
        headers = {"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
        self._client = httpx.Client(headers=headers)

    def rerank(self, question: str, passages: Sequence[str]) -> list[float]:
        """One score per passage; transient faults are retried within `patience.whole` seconds.

        A slowly answering service may take up to `patience.silence` longer. Raises TransientError or PermanentError,
        and StoppedError once this context's stop signal is set.
        """
        if not passages:
            return []
        body = {"model": self.name, "query": question, "documents": list(passages)}
        return self._scores(self._post(body), len(passages))

    def close(self) -> None:
        self._client.close()

    def _post(self, body: dict[str, Any]) -> bytes:
        attempt, wait, until = 1, 0.0, time.monotonic() + self._patience.whole
        while True:
            cancellation.check(wait)
            try:
                return self._ask(body, until)
            except TransientError as error:
                attempt += 1
                asked = self._patience.wait_before(attempt, error)
                if asked is None or time.monotonic() + asked >= until:
                    raise
                wait = asked

    def _ask(self, body: dict[str, Any], until: float) -> bytes:
        left = max(0.001, until - time.monotonic())  # sockets need a positive timeout
        timeout = httpx.Timeout(min(self._patience.silence, left), connect=min(self._patience.connect, left))
        said = bytearray()
        try:
            with self._client.stream("POST", f"{self._endpoint.url}/rerank", json=body, timeout=timeout) as response:
                for chunk in response.iter_bytes():
                    said += chunk
                    if time.monotonic() > until:
                        raise self._too_slow()
        except httpx.RequestError as error:
            raise self._error_of(error) from None  # the library's error contains the request with its key
        if response.is_success:
            return bytes(said)
        message = f"{self._service}: HTTP {response.status_code}: {self._quoted(said)}"
        raise error_of_status(response.status_code, message, retry_after=retry_after_seconds(response.headers))

    def _scores(self, said: bytes, passages: int) -> list[float]:
        try:
            found = {entry["index"]: float(entry["relevance_score"]) for entry in json.loads(said)["results"]}
            scores = [found[place] for place in range(passages)]
        except (LookupError, TypeError, ValueError, OverflowError, RecursionError):
            scores = []
        if not scores or not all(map(math.isfinite, scores)):
            message = (
                f"{self._service} must score all {passages} documents in JSON, by index; it said {self._quoted(said)}"
            )
            raise Garbled(message)
        return scores

    def _error_of(self, error: httpx.RequestError) -> ProviderError:
        if isinstance(error, httpx.TimeoutException) and not isinstance(error, httpx.ConnectTimeout):
            return self._too_slow()
        kind = Garbled if isinstance(error, httpx.DecodingError) else Unreachable
        return kind(f"{self._service}: {type(error).__name__}: {self._endpoint.masked(str(error))}")

    def _too_slow(self) -> TooSlow:
        patience = self._patience
        return TooSlow(
            f"{self._service} sent nothing for {patience.silence:g} s, or did not finish in {patience.whole:g} s"
        )

    def _quoted(self, said: bytes | bytearray) -> str:
        return repr(self._endpoint.masked(said.decode(errors="replace"))[:MESSAGE_CHARS])

    @property
    def _service(self) -> str:
        return f"reranker {self.name} at {self._endpoint.url}"
