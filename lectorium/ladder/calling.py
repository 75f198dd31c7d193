"""Calling what the ladder resolved: within budget, counted, and on to the next rung where one fails."""

import logging
import math
import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from lectorium.ladder.prompts import Slot
from lectorium.ladder.selectors import Served, budget_check, chain, prompt
from lectorium.ladder.services import usage_record
from lectorium.providers import registry
from lectorium.providers.errors import ProviderError
from lectorium.providers.protocols import Message, Piece, Schema
from lectorium.threads import in_thread

log = logging.getLogger(__name__)

CHARS_A_TOKEN = 3  # fewer than any tokenizer we know needs for prose, so that an estimate never flatters a budget


@dataclass(frozen=True, slots=True)
class Written:
    """A whole answer, who wrote it, and whether the token limit cut it."""

    text: str
    served: Served
    truncated: bool


async def stream(
    served: Served, messages: Sequence[Message], *, schema: Schema | None = None, tool: str | None = None
) -> AsyncGenerator[Piece, None]:
    """Stream from a rung that is not the builtin, and count it however it ends. Raises ProviderError."""
    await in_thread(budget_check, served.job)
    model = registry.chat_model(served.model)
    length, last, fault = 0, Piece(), False
    asked = model.stream(
        messages, max_tokens=served.max_tokens, temperature=served.temperature, schema=schema, tool=tool
    )
    try:
        async with aclosing(asked) as pieces:  # type: ignore[type-var]
            async for piece in pieces:
                length, last = length + len(piece.text), piece
                yield piece
    except ProviderError:
        fault = True
        raise
    finally:
        counted = last.tokens_in is not None and last.tokens_out is not None
        read = last.tokens_in or _estimate(sum(len(message.text) for message in messages))
        written = last.tokens_out if last.tokens_out is not None else _estimate(length)
        await in_thread(
            usage_record, served=served, tokens_in=read, tokens_out=written, estimated=not counted, fault=fault
        )


async def write(
    job: str,
    key: str,
    slots: dict[str, Slot],
    *,
    schema: Schema | None = None,
    tool: str | None = None,
) -> Written | None:
    """Return the first whole answer that a rung gives to its job's prompt; None where the builtin must do the job."""
    for served in await in_thread(chain, job, key):
        if served.is_builtin:
            return None
        asked = await in_thread(prompt, job, served.prompt)
        served = replace(served, prompt=asked.version)
        try:
            async with aclosing(stream(served, asked.fill(**slots), schema=schema, tool=tool)) as pieces:
                heard = [piece async for piece in pieces]
        except ProviderError as error:
            log.warning("%s goes on without %s: %s", job, served.model, error)
            continue
        return Written("".join(piece.text for piece in heard), served, heard[-1].truncated)
    return None


def unfenced(text: str) -> str:
    """Return the text without the code fence that models like to put around JSON."""
    return re.sub(r"^\s*```(?:json)?\s*|\s*```\s*$", "", text)


def _estimate(chars: int) -> int:
    return math.ceil(chars / CHARS_A_TOKEN)
