"""A reranker behind HTTP: the request shape that vLLM and the hosted services share."""

from collections.abc import Sequence
from typing import Any

import httpx

from . import guard
from .errors import Garbled, TransientError, Unreachable, error_of_status

ATTEMPTS = 2


class RerankEndpoint:
    """POSTs {model, query, documents} to URL/rerank and reads results[{index, relevance_score}]."""

    def __init__(self, url: str, model: str, *, key: str = "", timeout: float = 10.0) -> None:
        """Take the service's base URL, without "/rerank", the model's name there, and seconds to wait."""
        guard.check(f"rerank endpoint {url}")
        self.name = model
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.Client(base_url=url, headers=headers, timeout=timeout)

    def rerank(self, question: str, passages: Sequence[str]) -> list[float]:
        """Return one score a passage. Raises TransientError where asking again may help, else PermanentError."""
        if not passages:
            return []
        body = {"model": self.name, "query": question, "documents": list(passages)}
        return _scores(self._post(body), len(passages))

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _post(self, body: dict[str, Any]) -> Any:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self._ask(body)
            except TransientError:
                if attempt == ATTEMPTS:
                    raise
        raise AssertionError

    def _ask(self, body: dict[str, Any]) -> Any:
        try:
            response = self._client.post("/rerank", json=body)
        except httpx.TransportError as error:
            message = f"reranker {self.name} at {self._client.base_url}: {type(error).__name__}: {error}"
            raise Unreachable(message) from error
        if response.is_success:
            try:
                return response.json()
            except ValueError as error:
                message = f"reranker {self.name}: the answer is not JSON: {response.text[:200]!r}"
                raise Garbled(message) from error
        message = f"reranker {self.name}: HTTP {response.status_code}: {response.text[:200]}"
        raise error_of_status(response.status_code, message)


def _scores(answer: Any, count: int) -> list[float]:
    try:
        found = {int(entry["index"]): float(entry["relevance_score"]) for entry in answer["results"]}
        return [found[place] for place in range(count)]
    except (KeyError, TypeError, ValueError) as error:
        message = f"a reranker must score all {count} documents by index; it answered {str(answer)[:200]}"
        raise Garbled(message) from error
