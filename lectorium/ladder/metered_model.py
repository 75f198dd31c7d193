"""A rung's chat model whose calls are noted; whoever asks it records their usage, where the database can be reached."""

import asyncio
import math
import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing

from django.conf import settings

from lectorium.ladder.calls import STOPPED, WRITTEN, Call, left_alone, note, waited
from lectorium.ladder.jobs import PREPARING
from lectorium.ladder.selectors import ResolvedModel
from lectorium.providers import registry
from lectorium.providers.errors import ProviderError, TooSlow
from lectorium.providers.protocols import ChatMessage, Piece, Schema

CHARS_A_TOKEN = 3  # fewer than any tokenizer we know needs for prose, so that an estimate never flatters a budget


class MeteredModel:
    """ChatModel: a rung's. `calls` holds each call, however it ended. Raises ModelMissing where it is not there."""

    def __init__(self, served: ResolvedModel) -> None:
        self.name = served.model
        self.calls: list[Call] = []
        self.served, self._model = served, registry.chat_model(served.model)

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        temperature: float,
        schema: Schema | None = None,
        tool: str | None = None,
    ) -> AsyncGenerator[Piece, None]:
        began, clock = time.time(), time.perf_counter()
        length, last, outcome = 0, Piece(), STOPPED
        asked = self._model.stream(messages, max_tokens=max_tokens, temperature=temperature, schema=schema, tool=tool)
        try:
            async with aclosing(_in_time(self.name, asked, patience_left(self.served))) as pieces:
                async for piece in pieces:
                    length, last = length + len(piece.text), piece
                    yield piece
            outcome = WRITTEN
        except ProviderError as error:
            outcome = error.fault
            raise
        finally:
            call = Call(
                self.served,
                outcome,
                began,
                time.perf_counter() - clock,
                last.tokens_in or _estimate(sum(len(message.text) for message in messages)),
                last.tokens_out if last.tokens_out is not None else _estimate(length),
                estimated=last.tokens_in is None or last.tokens_out is None,
            )
            note(call)
            self.calls.append(call)

    async def aclose(self) -> None:
        """Close the connections of an event loop that ends, where the model keeps any."""
        if close := getattr(self._model, "aclose", None):
            await close()


def patience_left(served: ResolvedModel) -> float:
    """Return the seconds that a call of this job may still take. Raises TooSlow where the turn waits no longer for it.

    A model that kept this turn waiting in vain is not waited for again; before anything is written the calls of
    PREPARING share LECTORIUM_CHAT_PREPARE seconds, and all calls of the turn LECTORIUM_CHAT_TURN.
    """
    if served.model in left_alone():
        raise TooSlow(f"{served.model} was too slow in this turn already")
    left = min(settings.CHAT_WHOLE, settings.CHAT_TURN - waited())
    if served.job in PREPARING:
        left = min(left, settings.CHAT_PREPARE - waited(PREPARING))
    if left <= 0:
        raise TooSlow(f"{served.model} is not asked: this turn has waited long enough for models")
    return left


async def _in_time(name: str, asked: AsyncIterator[Piece], left: float) -> AsyncGenerator[Piece, None]:
    """Yield the pieces; TooSlow after LECTORIUM_CHAT_SILENCE seconds without one, or `left` seconds in all."""
    until = time.monotonic() + left
    async with aclosing(asked) as pieces:  # type: ignore[type-var]
        while True:
            wait = min(settings.CHAT_SILENCE, until - time.monotonic())
            try:
                async with asyncio.timeout(wait):
                    piece = await anext(pieces)
            except StopAsyncIteration:
                return
            except TimeoutError as error:
                raise TooSlow(f"{name}: no word for {wait:g} s, or no end within {left:g} s") from error
            yield piece


def _estimate(chars: int) -> int:
    return math.ceil(chars / CHARS_A_TOKEN)
