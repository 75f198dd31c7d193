"""Requests and responses of the OpenAI chat protocol, and of servers that deviate from it."""

import re
from collections.abc import Sequence
from typing import Any

from .errors import CutOff, EmptyAnswer, PermanentError
from .protocols import ChatMessage, Piece, Schema

# Parameters that servers may reject by name, with their replacement, if any.
_OPTIONAL: dict[str, str | None] = {
    "response_format": None,
    "stream_options": None,
    "temperature": None,
    "max_tokens": "max_completion_tokens",
}
_NOT_TAKEN = re.compile(r"un(?:supported|known|recogni[sz]ed|expected)|not (?:supported|permitted|allowed)|extra", re.I)


def request_body(
    model: str,
    messages: Sequence[ChatMessage],
    *,
    max_tokens: int,
    temperature: float,
    schema: Schema | None,
    tool: str | None,
) -> dict[str, Any]:
    """The fields of a streaming request with usage."""
    return {
        "model": model,
        "messages": [{"role": message.role, "content": message.text} for message in messages],
        "max_tokens": max_tokens,
        "temperature": temperature,
        "stream_options": {"include_usage": True},
        **_shape(schema, tool),
    }


class StreamedAnswer:
    """Collects the chunks of one answer: text, finish reason, tokens."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._spoken = False
        self._finish: str | None = None
        self._usage: Any = None

    def text_of(self, chunk: Any) -> str:
        """The text of a chunk, or "". Raises ValueError where it is not a chunk."""
        try:
            self._usage = chunk.usage or self._usage
            if not chunk.choices:
                return ""
            choice = chunk.choices[0]
            self._finish = choice.finish_reason or self._finish
            calls = choice.delta.tool_calls
            written = str((calls[0].function.arguments if calls else choice.delta.content) or "")
        except (AttributeError, LookupError, TypeError) as error:  # the library does not validate what it decodes
            raise ValueError(f"a chunk without its parts: {error}") from error
        self._spoken = self._spoken or bool(written)
        return written

    def last_piece(self) -> Piece:
        """Token counts and whether the limit cut the answer. Raises ProviderError where the answer is empty or
        incomplete.
        """
        if self._finish == "content_filter":
            raise PermanentError(f"{self._name}: the service's content filter stopped the answer")
        if self._finish is None and self._spoken:
            raise CutOff(f"{self._name}: the stream ended before the answer did")
        if not self._spoken:
            raise EmptyAnswer(f"{self._name}: the answer is empty")
        read, written = _count(self._usage, "prompt_tokens"), _count(self._usage, "completion_tokens")
        return Piece(tokens_in=read, tokens_out=written, truncated=self._finish == "length")


def _count(usage: Any, name: str) -> int | None:
    """A token count, or None where the service gives none."""
    count = getattr(usage, name, None)
    return count if isinstance(count, int) and count >= 0 else None


def _shape(schema: Schema | None, tool: str | None) -> dict[str, Any]:
    if tool:
        function = {"name": tool, "parameters": schema or {"type": "object"}}
        return {
            "tools": [{"type": "function", "function": function}],
            # by its literal name, because cheap models ignore "required"
            "tool_choice": {"type": "function", "function": {"name": tool}},
        }
    if schema:
        return {"response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}}
    return {}


def rejected_parameters(sent: dict[str, Any], said: str) -> set[str]:
    """The optional parameters that a server's message rejects."""
    if not _NOT_TAKEN.search(said):
        return set()
    return {name for name in _OPTIONAL if name in sent and re.search(rf"\b{name}\b", said)}


def without(body: dict[str, Any], refused: set[str]) -> dict[str, Any]:
    """The body without the rejected parameters, or with their replacements."""
    kept = {name: value for name, value in body.items() if name not in refused}
    renamed = {new: body[old] for old in refused if (new := _OPTIONAL[old]) and old in body}
    return kept | renamed
