"""What is sent and what comes back, in the words of the OpenAI chat protocol and of the servers that bend it."""

import re
from collections.abc import Sequence
from typing import Any

from .errors import CutOff, EmptyAnswer, PermanentError
from .protocols import ChatMessage, Piece, Schema

# Servers differ in which parameters they take, and name the one they refuse. What then takes its place, if anything.
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
    """Return the fields of a request for a stream with usage."""
    return {
        "model": model,
        "messages": [{"role": message.role, "content": message.text} for message in messages],
        "max_tokens": max_tokens,
        "temperature": temperature,
        "stream_options": {"include_usage": True},
        **_shape(schema, tool),
    }


class StreamedAnswer:
    """What the chunks of one answer say: text, why it ended, tokens."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._spoken = False
        self._finish: str | None = None
        self._usage: Any = None

    def text_of(self, chunk: Any) -> str:
        """Return the text of a chunk, empty where it has none. Raises ValueError where it is no chunk."""
        try:
            self._usage = chunk.usage or self._usage
            if not chunk.choices:
                return ""
            choice = chunk.choices[0]
            self._finish = choice.finish_reason or self._finish
            calls = choice.delta.tool_calls
            written = str((calls[0].function.arguments if calls else choice.delta.content) or "")
        except (AttributeError, LookupError, TypeError) as error:  # the library does not check what it decodes
            raise ValueError(f"a chunk without its parts: {error}") from error
        self._spoken = self._spoken or bool(written)
        return written

    def last_piece(self) -> Piece:
        """Return the tokens and whether the limit cut the answer. Raises where it is none."""
        if self._finish == "content_filter":
            raise PermanentError(f"{self._name}: the service's content filter stopped the answer")
        if self._finish is None and self._spoken:
            raise CutOff(f"{self._name}: the stream ended before the answer did")
        if not self._spoken:
            raise EmptyAnswer(f"{self._name}: the answer is empty")
        read, written = _count(self._usage, "prompt_tokens"), _count(self._usage, "completion_tokens")
        return Piece(tokens_in=read, tokens_out=written, truncated=self._finish == "length")


def _count(usage: Any, name: str) -> int | None:
    """Return a number of tokens, None where the service does not say one."""
    count = getattr(usage, name, None)
    return count if isinstance(count, int) and count >= 0 else None


def _shape(schema: Schema | None, tool: str | None) -> dict[str, Any]:
    if tool:
        function = {"name": tool, "parameters": schema or {"type": "object"}}
        return {
            "tools": [{"type": "function", "function": function}],
            # By its literal name: cheap models ignore "required".
            "tool_choice": {"type": "function", "function": {"name": tool}},
        }
    if schema:
        return {"response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}}
    return {}


def blamed(sent: dict[str, Any], said: str) -> set[str]:
    """Return the optional parameters that a server says it does not take."""
    if not _NOT_TAKEN.search(said):
        return set()
    return {name for name in _OPTIONAL if name in sent and re.search(rf"\b{name}\b", said)}


def without(body: dict[str, Any], refused: set[str]) -> dict[str, Any]:
    """Return the body without what this server refuses, renamed where it has another name for it."""
    kept = {name: value for name, value in body.items() if name not in refused}
    renamed = {new: body[old] for old in refused if (new := _OPTIONAL[old]) and old in body}
    return kept | renamed
