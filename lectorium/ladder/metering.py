"""A rung's chat model whose calls are noted; whoever asks it records their usage, where the database can be reached."""

import math
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from lectorium.ladder.calls import STOPPED, WRITTEN, Call, note
from lectorium.ladder.selectors import Served
from lectorium.providers import registry
from lectorium.providers.errors import ProviderError
from lectorium.providers.protocols import Message, Piece, Schema

CHARS_A_TOKEN = 3  # fewer than any tokenizer we know needs for prose, so that an estimate never flatters a budget


class Metered:
    """ChatModel: a rung's. `calls` holds each call, however it ended. Raises ModelMissing where it is not there."""

    def __init__(self, served: Served) -> None:
        self.name = served.model
        self.calls: list[Call] = []
        self.served, self._model = served, registry.chat_model(served.model)

    async def stream(
        self,
        messages: Sequence[Message],
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
            async with aclosing(asked) as pieces:  # type: ignore[type-var]
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


def _estimate(chars: int) -> int:
    return math.ceil(chars / CHARS_A_TOKEN)
