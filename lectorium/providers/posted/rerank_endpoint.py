"""A reranker behind HTTP, with the request format of vLLM and hosted services."""

import json
import math
from collections.abc import Sequence

from lectorium.providers.deadlines import Deadlines
from lectorium.providers.endpoint import Endpoint
from lectorium.providers.errors import Garbled
from lectorium.providers.stand_ins import guard

from .poster import ServicePoster

PATIENCE = Deadlines(
    attempts=2, silence=10.0, whole=20.0
)  # short, because a reader waits and the shipped reader can order without it


class RerankEndpoint:
    """POSTs {model, query, documents} to URL/rerank and reads results[{index, relevance_score}].

    Passages are sent whole, since only the service counts its tokens; it may refuse them (ContextTooLong) or cut them.
    """

    def __init__(self, endpoint: Endpoint, model: str, *, patience: Deadlines = PATIENCE) -> None:
        guard.check(f"rerank endpoint {endpoint.url}")
        self.name = model
        self._poster = ServicePoster(f"reranker {model} at {endpoint.url}", endpoint, patience)

    def rerank(self, question: str, passages: Sequence[str]) -> list[float]:
        """One score per passage. Raises as ServicePoster.post."""
        if not passages:
            return []
        body = {"model": self.name, "query": question, "documents": list(passages)}
        return self._scores(self._poster.post("/rerank", json=body), len(passages))

    def close(self) -> None:
        self._poster.close()

    def _scores(self, said: bytes, passages: int) -> list[float]:
        try:
            found = {entry["index"]: float(entry["relevance_score"]) for entry in json.loads(said)["results"]}
            scores = [found[place] for place in range(passages)]
        except (LookupError, TypeError, ValueError, OverflowError, RecursionError):
            scores = []
        if not scores or not all(map(math.isfinite, scores)):
            raise Garbled(
                f"{self._poster.service} must score all {passages} documents in JSON, by index; "
                f"it said {self._poster.quoted(said)}"
            )
        return scores
