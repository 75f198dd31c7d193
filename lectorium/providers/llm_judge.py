"""A chat model as verifier. Its verdict only counts in strict JSON with a literal quote."""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from . import cancellation
from .errors import Garbled
from .protocols import ChatMessage, ChatModel, Judgement, Label

Ask = Callable[[str, str], Sequence[ChatMessage]]
ATTEMPTS = 2
MOST_AT_ONCE = 8
MAX_TOKENS = 220
_FIELDS = ("verdict", "support", "quote")
SCHEMA = {
    "type": "object",
    "properties": {
        "verdict": {"enum": ["supported", "partial", "not_mentioned", "contradicted"]},
        "support": {"type": "number", "minimum": 0, "maximum": 1},
        "quote": {"type": "string"},
    },
    "required": [*_FIELDS],
    "additionalProperties": False,
}
_LABELS: dict[str, Label] = {
    "supported": "supported",
    "partial": "not_mentioned",
    "not_mentioned": "not_mentioned",
    "contradicted": "contradicted",
}
_PARTIAL_AT_MOST = 0.49  # a partly stated claim is not supported, whatever score the model gives
_UNKNOWN = Judgement("not_mentioned", 0.0, 0.0, None)


class LlmJudge:
    """A verifier on a chat model, which must not be the one that wrote the claims."""

    def __init__(self, model: ChatModel, ask: Ask, *, passed_bar: bool = False) -> None:
        """ask: returns the messages for (evidence, claim)."""
        self.name, self.passed_bar = f"judge {model.name}", passed_bar
        self._model, self._ask = model, ask

    def verify(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """Judge (evidence, claim) pairs, a few at once. Call it on a thread without an event loop.

        An answer that is invalid twice, or quotes text that is not in the evidence, counts as no support. Evidence is
        sent whole; the service may refuse it (ContextTooLong) or cut it.
        Raises ProviderError where the model cannot be reached, StoppedError once this context's stop signal is set.
        """
        return asyncio.run(self._verify(pairs))

    async def _verify(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        room = asyncio.Semaphore(MOST_AT_ONCE)

        async def judge(evidence: str, claim: str) -> Judgement:
            async with room:
                return await self._judge(evidence, claim)

        try:
            return await asyncio.gather(*(judge(evidence, claim) for evidence, claim in pairs))
        finally:
            if close := getattr(self._model, "aclose", None):  # connections belong to this loop, which ends here
                await close()

    async def _judge(self, evidence: str, claim: str) -> Judgement:
        for _ in range(ATTEMPTS):
            cancellation.check()
            answer = ""
            async for piece in self._model.stream(
                self._ask(evidence, claim), max_tokens=MAX_TOKENS, temperature=0.0, schema=SCHEMA
            ):
                answer += piece.text
            try:
                return replace(read_verdict(answer, evidence), passed_bar=self.passed_bar)
            except Garbled:
                continue
        return _UNKNOWN


def read_verdict(answer: str, evidence: str) -> Judgement:
    """The judgement in a model's answer. Raises Garbled where it does not match SCHEMA.

    A verdict that needs a quote but has none from the evidence becomes `not_mentioned` with support 0.
    """
    try:
        said = json.loads(answer)
    except (ValueError, RecursionError) as error:  # RecursionError for deeply nested brackets
        raise Garbled(f"the judge must answer in JSON; it said {answer[:200]!r}") from error
    if not _fits(said):
        raise Garbled(f"the judge's answer does not fit its schema: {answer[:200]!r}")
    verdict, support, quote = said["verdict"], float(said["support"]), said["quote"]
    at = evidence.find(quote) if quote.strip() else -1
    if verdict == "not_mentioned" or at < 0:
        return _UNKNOWN
    span = (at, at + len(quote))
    if verdict == "contradicted":
        return Judgement("contradicted", min(support, 1 - support), 1.0, span)
    return Judgement(_LABELS[verdict], min(support, _PARTIAL_AT_MOST) if verdict == "partial" else support, 0.0, span)


def _fits(said: Any) -> bool:
    """Whether this matches SCHEMA. True is not a number here, although Python's bool is an int."""
    if not isinstance(said, dict) or said.keys() != set(_FIELDS):
        return False
    verdict, support, quote = (said[name] for name in _FIELDS)
    if not isinstance(verdict, str) or type(support) not in (int, float) or not isinstance(quote, str):
        return False
    return verdict in _LABELS and 0 <= support <= 1
