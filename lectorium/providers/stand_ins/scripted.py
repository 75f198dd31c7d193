"""A chat model with scripted replies, for tests, demonstrations and measurements."""

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from lectorium.providers import errors
from lectorium.providers.protocols import ChatMessage, Piece, Schema

_FAULTS: dict[str, type[errors.ProviderError]] = {
    kind.fault: kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, errors.ProviderError)
}


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply: its pieces, seconds before the first and between pieces, and a final fault.

    The fault is a code from errors.py ("cut_off", "rate_limited", …), raised after the pieces.
    """

    pieces: tuple[str, ...] = ()
    first_after: float = 0.0
    each_after: float = 0.0
    fault: str = ""

    @classmethod
    def of(cls, text: str, *, tokens_a_second: float = 0.0, fault: str = "") -> Self:
        """A reply that streams `text` word by word, at a model's speed if given."""
        words = tuple(word for word in text.replace("\n", "\n\0").replace(" ", " \0").split("\0") if word)
        return cls(words, each_after=1 / tokens_a_second if tokens_a_second else 0.0, fault=fault)


class ScriptedChat:
    """Gives its replies in turn and repeats the last; records its prompts and early closes."""

    def __init__(self, *replies: Reply | str, name: str = "scripted:given") -> None:
        self.name = name
        self.asked: list[tuple[ChatMessage, ...]] = []
        self.schemas: list[Schema | None] = []
        self.tools: list[str | None] = []
        self.closed_early = 0
        self._replies = [Reply.of(reply) if isinstance(reply, str) else reply for reply in replies]
        if not self._replies:
            raise ValueError("a scripted model needs at least one reply")

    @classmethod
    def from_file(cls, path: Path) -> Self:
        """Read a JSON list of {"text", "tokens_a_second"?, "fault"?}. Raises ModelMissing."""
        try:
            rows = json.loads(path.read_text(encoding="utf-8"))
            replies = [Reply.of(**{"text": "", **row}) for row in rows]
            if unknown := {reply.fault for reply in replies if reply.fault} - set(_FAULTS):
                raise ValueError(f"unknown fault {', '.join(unknown)}; known: {', '.join(_FAULTS)}")
            return cls(*replies, name=f"scripted:{path}")
        except (OSError, TypeError, ValueError) as error:
            raise errors.ModelMissing(f"script {path}: {error}") from error

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        temperature: float,
        schema: Schema | None = None,
        tool: str | None = None,
    ) -> AsyncGenerator[Piece, None]:
        reply = self._replies[min(len(self.asked), len(self._replies) - 1)]
        self.asked.append(tuple(messages))
        self.schemas.append(schema)
        self.tools.append(tool)
        said = reply.pieces[:max_tokens]
        try:
            await asyncio.sleep(reply.first_after)
            for text in said:
                yield Piece(text)
                await asyncio.sleep(reply.each_after)
        except (asyncio.CancelledError, GeneratorExit):
            self.closed_early += 1
            raise
        if reply.fault:
            raise _FAULTS[reply.fault](f"{self.name}: {reply.fault}, as the script says")
        read = sum(len(message.text.split()) for message in messages)
        yield Piece(tokens_in=read, tokens_out=len(said), truncated=len(said) < len(reply.pieces))
