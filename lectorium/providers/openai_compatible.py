"""Any server that speaks the OpenAI chat protocol: vLLM, llama.cpp, a hosted service."""

import asyncio
import re
import time
import weakref
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any, cast

import httpx2
import openai

from . import guard
from .endpoint import Endpoint
from .errors import (
    CutOff,
    EmptyAnswer,
    Garbled,
    PermanentError,
    ProviderError,
    ServerFault,
    TooSlow,
    Unreachable,
    error_of_status,
)
from .patience import Breaker, Patience, persistently
from .protocols import Message, Piece, Schema

SAID_CHARS = 300  # of what a server says about an error

# Servers differ in which parameters they take, and name the one they refuse. What then takes its place, if anything.
_OPTIONAL: dict[str, str | None] = {
    "response_format": None,
    "stream_options": None,
    "temperature": None,
    "max_tokens": "max_completion_tokens",
}
_NOT_TAKEN = re.compile(r"un(?:supported|known|recogni[sz]ed|expected)|not (?:supported|permitted|allowed)|extra", re.I)


class OpenAICompatible:
    """One model of one service. Safe to share between turns and event loops."""

    def __init__(self, endpoint: Endpoint, model: str, *, patience: Patience | None = None) -> None:
        guard.check(f"chat model {endpoint.name}:{model}")
        self.name = f"{endpoint.name}:{model}"
        self._endpoint, self._model = endpoint, model
        self._patience = patience or Patience()
        self._breaker = Breaker()
        self._refused: set[str] = set()
        # Connections belong to an event loop; commands and tests have one of their own each.
        self._clients: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, openai.AsyncOpenAI] = (
            weakref.WeakKeyDictionary()
        )

    async def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        temperature: float,
        schema: Schema | None = None,
        tool: str | None = None,
    ) -> AsyncGenerator[Piece, None]:
        """Stream as ChatModel says: transient faults are asked again until the first word, then they are raised."""
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [{"role": message.role, "content": message.text} for message in messages],
            "max_tokens": max_tokens,
            "temperature": temperature,
            "stream_options": {"include_usage": True},
            **_shape(schema, tool),
        }
        attempts = persistently(self.name, lambda: self._attempt(body), self._patience, self._breaker)
        async with aclosing(attempts) as pieces:
            async for piece in pieces:
                yield piece

    async def models(self) -> list[str]:
        """Return the names of the models the service offers. Raises ProviderError."""
        try:
            return [model.id async for model in self._client().models.list()]
        except (openai.OpenAIError, ValueError) as error:
            raise self._meaning(error) from None

    async def close(self) -> None:
        """Close this event loop's connections."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client:
            await client.close()

    async def _attempt(self, body: dict[str, Any]) -> AsyncGenerator[Piece, None]:
        deadline = time.monotonic() + self._patience.whole
        try:
            async with await self._open(body) as chunks:
                reading = _Reading(self.name)
                while (chunk := await self._next(chunks, deadline)) is not None:
                    if text := reading.text_of(chunk):
                        yield Piece(text)
                yield reading.last_piece()
        except (openai.OpenAIError, httpx2.HTTPError, ValueError) as error:
            # `from None`: the library's error holds the request, and its words may hold the key.
            raise self._meaning(error) from None

    async def _open(self, body: dict[str, Any]) -> Any:
        """Return the stream once the server has begun it, leaving out what this server is known to refuse."""
        ask = self._client().chat.completions.create
        while True:
            sent = _without(body, self._refused)
            try:
                async with asyncio.timeout(self._patience.silence):
                    chunks = await ask(stream=True, **sent)
            except TimeoutError:
                raise self._too_slow() from None
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                blamed = _blamed(sent, str(error))
                if not blamed:
                    raise
                self._refused |= blamed
            else:
                kind = chunks.response.headers.get("content-type", "")
                if "event-stream" in kind:
                    return chunks
                await chunks.close()
                raise Garbled(f"{self.name} answered {kind.split(';')[0] or 'something'} instead of a stream")

    async def _next(self, chunks: Any, deadline: float) -> Any:
        """Return the next chunk, None after the last."""
        try:
            async with asyncio.timeout(min(self._patience.silence, max(0.0, deadline - time.monotonic()))):
                return await anext(chunks, None)
        except TimeoutError:
            raise self._too_slow() from None

    def _client(self) -> openai.AsyncOpenAI:
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            self._clients[loop] = openai.AsyncOpenAI(
                base_url=self._endpoint.url,
                api_key=self._endpoint.key or "none",  # a local server asks for none, the library insists on one
                timeout=httpx2.Timeout(self._patience.silence, connect=self._patience.connect),
                max_retries=0,  # patience.py asks again
                # The library would take these from its own environment variables and send them to any host.
                default_headers=cast(Any, dict.fromkeys(("OpenAI-Organization", "OpenAI-Project"), openai.Omit())),
            )
        return self._clients[loop]

    def _too_slow(self) -> TooSlow:
        return TooSlow(f"{self.name} said nothing for {self._patience.silence:g} s, or was not done in time")

    def _meaning(self, error: Exception) -> ProviderError:
        """Return our error for the library's, in words that hold no key."""
        said = str(error)
        if self._endpoint.key:
            said = said.replace(self._endpoint.key, "•••")
        message = f"{self.name}: {said[:SAID_CHARS]}"
        if isinstance(error, openai.APIStatusError):
            return error_of_status(
                error.status_code, f"{self.name}: HTTP {said[:SAID_CHARS]}", retry_after=_seconds(error.response)
            )
        if isinstance(error, openai.APITimeoutError):
            return self._too_slow()
        if isinstance(error, openai.APIConnectionError):
            cause = type(error.__cause__).__name__
            return (CutOff if cause == "RemoteProtocolError" else Unreachable)(f"{self.name}: {cause}: {said}")
        if isinstance(error, openai.APIError):
            return ServerFault(message)
        if isinstance(error, httpx2.HTTPError):
            return Unreachable(message)
        return Garbled(f"{self.name}: the stream is not what the protocol says: {said[:SAID_CHARS]}")


class _Reading:
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
        except (AttributeError, IndexError, TypeError) as error:  # the library does not check what it decodes
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
        usage = self._usage
        return Piece(
            tokens_in=usage.prompt_tokens if usage else None,
            tokens_out=usage.completion_tokens if usage else None,
            truncated=self._finish == "length",
        )


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


def _blamed(sent: dict[str, Any], said: str) -> set[str]:
    """Return the optional parameters that a server says it does not take."""
    if not _NOT_TAKEN.search(said):
        return set()
    return {name for name in _OPTIONAL if name in sent and re.search(rf"\b{name}\b", said)}


def _without(body: dict[str, Any], refused: set[str]) -> dict[str, Any]:
    kept = {name: value for name, value in body.items() if name not in refused}
    renamed = {new: body[old] for old in refused if (new := _OPTIONAL[old]) and old in body}
    return kept | renamed


def _seconds(response: httpx2.Response) -> float | None:
    """Return Retry-After in seconds; the rarer form, a date, counts as unsaid."""
    try:
        return max(0.0, float(response.headers["retry-after"]))
    except (KeyError, ValueError):
        return None
