"""A rung's chat model that records its calls. The caller stores their usage, where it can reach the database."""

import asyncio
import contextlib
import math
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Sequence
from contextlib import aclosing

from django.conf import settings

from lectorium.ladder.calls import STOPPED, WRITTEN, Call, note, timed_out_models, waited
from lectorium.ladder.jobs import PREPARING
from lectorium.ladder.selectors import ResolvedModel
from lectorium.providers import registry
from lectorium.providers.errors import ProviderError, TooSlow
from lectorium.providers.protocols import ChatMessage, Piece, Schema

# Seconds beyond LECTORIUM_CHAT_SILENCE. A provider with that limit then notices the silence first, and its circuit
# breaker counts it; cancelled from here, it would count nothing.
SILENCE_SLACK_S = 0.5
CHARS_A_TOKEN = 3  # fewer than known tokenizers need for prose, so that an estimate never understates usage


class MeteredModel:
    """The chat model of a rung; `calls` has every call that was made. Raises ModelMissing."""

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
        try:
            left = seconds_left(self.served)
        except TooSlow as error:
            note(Call(self.served, error.fault, began))
            raise
        length, last, outcome = 0, Piece(), STOPPED
        asked = self._model.stream(messages, max_tokens=max_tokens, temperature=temperature, schema=schema, tool=tool)
        try:
            async with aclosing(_in_time(self.name, asked, left)) as pieces:
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
        """Close the model's connections on this event loop, if it has any."""
        if close := getattr(self._model, "aclose", None):
            await close()


async def close_connections(served: Iterable[ResolvedModel]) -> None:
    """Close connections that belong to an event loop about to end."""
    for model in served:
        with contextlib.suppress(ProviderError):
            await MeteredModel(model).aclose()


def seconds_left(served: ResolvedModel) -> float:
    """Seconds that a call of this job may still take. Raises TooSlow where none are left.

    A model that timed out in this turn is not asked again. The calls of PREPARING share LECTORIUM_CHAT_PREPARE seconds,
    and all calls of a turn LECTORIUM_CHAT_TURN.
    """
    if served.model in timed_out_models():
        raise TooSlow(f"{served.model} already timed out in this turn")
    left = min(settings.CHAT_WHOLE, settings.CHAT_TURN - waited())
    if served.job in PREPARING:
        left = min(left, settings.CHAT_PREPARE - waited(PREPARING))
    if left <= 0:
        raise TooSlow(f"{served.model} was not asked: the turn's time for models is used up")
    return left


async def _in_time(name: str, asked: AsyncIterator[Piece], left: float) -> AsyncGenerator[Piece, None]:
    """The pieces; TooSlow soon after LECTORIUM_CHAT_SILENCE seconds without one, or `left` seconds in total."""
    until = time.monotonic() + left
    async with aclosing(asked) as pieces:  # type: ignore[type-var]
        while True:
            wait = min(settings.CHAT_SILENCE + SILENCE_SLACK_S, until - time.monotonic())
            try:
                async with asyncio.timeout(wait):
                    piece = await anext(pieces)
            except StopAsyncIteration:
                return
            except TimeoutError as error:
                raise TooSlow(f"{name}: nothing for {wait:g} s, or not finished within {left:g} s") from error
            yield piece


def _estimate(chars: int) -> int:
    return math.ceil(chars / CHARS_A_TOKEN)
