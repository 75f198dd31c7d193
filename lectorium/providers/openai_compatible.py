"""Any server with the OpenAI chat protocol: vLLM, llama.cpp, a hosted service."""

import asyncio
import time
import weakref
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any, cast

import httpx2
import openai

from .deadlines import Breaker, Deadlines, retry_after_seconds, with_retries
from .endpoint import Endpoint
from .errors import CutOff, Garbled, ProviderError, ServerFault, TooSlow, Unreachable, error_of_status
from .openai_protocol import StreamedAnswer, rejected_parameters, request_body, without
from .protocols import ChatMessage, Piece, Schema
from .stand_ins import guard

MESSAGE_CHARS = 300  # characters of a server's message in an error


class OpenAICompatible:
    """One model of one service; shared by turns and event loops."""

    def __init__(self, endpoint: Endpoint, model: str, *, patience: Deadlines | None = None) -> None:
        guard.check(f"chat model {endpoint.name}:{model}")
        self.name = f"{endpoint.name}:{model}"
        self._endpoint, self._model = endpoint, model
        self._patience = patience or Deadlines()
        self._breaker = Breaker()
        self._refused: set[str] = set()
        # Connections belong to an event loop; commands and tests each have their own.
        self._clients: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, openai.AsyncOpenAI] = (
            weakref.WeakKeyDictionary()
        )

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        temperature: float,
        schema: Schema | None = None,
        tool: str | None = None,
    ) -> AsyncGenerator[Piece, None]:
        """See ChatModel. Transient faults are retried until the first text."""
        body = request_body(
            self._model, messages, max_tokens=max_tokens, temperature=temperature, schema=schema, tool=tool
        )
        attempts = with_retries(self.name, lambda: self._attempt(body), self._patience, self._breaker)
        async with aclosing(attempts) as pieces:
            async for piece in pieces:
                yield piece

    async def models(self) -> list[str]:
        """Names of the models the service offers. Raises ProviderError."""
        try:
            return [model.id async for model in self._client().models.list()]
        except (openai.OpenAIError, ValueError) as error:
            raise self._error_of(error) from None

    async def aclose(self) -> None:
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client:
            await client.close()

    async def _attempt(self, body: dict[str, Any]) -> AsyncGenerator[Piece, None]:
        deadline = time.monotonic() + self._patience.whole
        try:
            async with await self._open(body) as chunks:
                reading = StreamedAnswer(self.name)
                while (chunk := await self._next(chunks, deadline)) is not None:
                    if text := reading.text_of(chunk):
                        yield Piece(text)
                yield reading.last_piece()
        except (openai.OpenAIError, httpx2.HTTPError, ValueError) as error:
            # `from None`: the library's error contains the request, and its message may contain the key.
            raise self._error_of(error) from None

    async def _open(self, body: dict[str, Any]) -> Any:
        """Open the stream, leaving out parameters this server is known to refuse."""
        ask = self._client().chat.completions.create
        while True:
            sent = without(body, self._refused)
            try:
                async with asyncio.timeout(self._patience.silence):
                    chunks = await ask(stream=True, **sent)
            except TimeoutError:
                raise self._too_slow() from None
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                refused = rejected_parameters(sent, str(error))
                if not refused:
                    raise
                self._refused |= refused
            else:
                kind = chunks.response.headers.get("content-type", "")
                if "event-stream" in kind:
                    return chunks
                await chunks.close()
                raise Garbled(f"{self.name} answered {kind.split(';')[0] or 'something'} instead of a stream")

    async def _next(self, chunks: Any, deadline: float) -> Any:
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
                api_key=self._endpoint.key or "none",  # a local server needs none, but the library requires one
                timeout=httpx2.Timeout(self._patience.silence, connect=self._patience.connect),
                max_retries=0,  # deadlines.py retries
                # The library would read these from its own environment variables and send them to any host.
                default_headers=cast(Any, dict.fromkeys(("OpenAI-Organization", "OpenAI-Project"), openai.Omit())),
            )
        return self._clients[loop]

    def _too_slow(self) -> TooSlow:
        return TooSlow(f"{self.name} sent nothing for {self._patience.silence:g} s, or did not finish in time")

    def _error_of(self, error: Exception) -> ProviderError:
        """Our error for the library's, with the key masked."""
        said = self._endpoint.masked(str(error))
        message = f"{self.name}: {said[:MESSAGE_CHARS]}"
        if isinstance(error, openai.APIStatusError):
            return error_of_status(
                error.status_code,
                f"{self.name}: HTTP {said[:MESSAGE_CHARS]}",
                retry_after=retry_after_seconds(error.response.headers),
            )
        cause = error.__cause__
        if isinstance(error, openai.APITimeoutError) and not isinstance(cause, httpx2.ConnectTimeout):
            return self._too_slow()
        if isinstance(error, openai.APIConnectionError):
            kind = CutOff if isinstance(cause, httpx2.RemoteProtocolError | httpx2.ReadError) else Unreachable
            return kind(f"{self.name}: {type(cause).__name__}: {said}")
        if isinstance(error, openai.APIError):
            return ServerFault(message)
        if isinstance(error, httpx2.HTTPError):
            return Unreachable(message)
        return Garbled(f"{self.name}: the stream violates the protocol: {said[:MESSAGE_CHARS]}")
