"""Calls the resolved model: within budget, counted, and with the next rung after a failure."""

import logging
import re
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, replace

from lectorium.ladder.calls import BUILTIN_DID, Call, note
from lectorium.ladder.metered_model import MeteredModel, seconds_left
from lectorium.ladder.prompts import Slot
from lectorium.ladder.selectors import ResolvedModel, budget_check, chain, prompt
from lectorium.ladder.services import usage_record
from lectorium.providers.errors import ProviderError
from lectorium.providers.protocols import ChatMessage, Piece, Schema
from lectorium.threads import in_thread

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """A complete answer, its model, and whether the token limit cut it."""

    text: str
    served: ResolvedModel
    truncated: bool


async def stream(
    served: ResolvedModel, messages: Sequence[ChatMessage], *, schema: Schema | None = None, tool: str | None = None
) -> AsyncGenerator[Piece, None]:
    """Stream from a rung other than the builtin and record the call. Raises ProviderError."""
    model = await in_thread(allowed_model, served)
    asked = model.stream(
        messages, max_tokens=served.max_tokens, temperature=served.temperature, schema=schema, tool=tool
    )
    try:
        async with aclosing(asked) as pieces:
            async for piece in pieces:
                yield piece
    finally:
        for call in model.calls:
            await in_thread(usage_record, call=call)


def allowed_model(served: ResolvedModel) -> MeteredModel:
    """The rung's model, if its budget and deadline allow a call; otherwise records why not. Raises ProviderError."""
    try:
        budget_check(served.job)
        seconds_left(served)
        return MeteredModel(served)
    except ProviderError as error:
        note(Call(served, error.fault, time.time()))
        raise


@contextmanager
def metered(served: ResolvedModel) -> Iterator[MeteredModel]:
    """The rung's model within budget; records its calls. Raises ProviderError.

    For checks, whose event loop runs on a worker thread: nothing inside may wait for another worker thread.
    """
    model = allowed_model(served)
    try:
        yield model
    finally:
        for call in model.calls:
            usage_record(call=call)


def note_builtin(served: ResolvedModel) -> None:
    """Record that the builtin did the job, so that both sides of an A/B split can be compared."""
    note(Call(served, BUILTIN_DID, time.time()))


async def write(
    job: str,
    key: str,
    slots: dict[str, Slot],
    *,
    schema: Schema | None = None,
    tool: str | None = None,
    prompt_name: str = "",
) -> WrittenAnswer | None:
    """The first complete answer of a rung to its job's prompt; None where the builtin must do the job.

    prompt_name: another prompt for this job, in its newest version.
    """
    for served in await in_thread(chain, job, key):
        if served.is_builtin:
            note_builtin(served)
            return None
        asked = await in_thread(prompt, prompt_name or job, "" if prompt_name else served.prompt)
        served = replace(served, prompt=asked.version)
        try:
            async with aclosing(stream(served, asked.fill(**slots), schema=schema, tool=tool)) as pieces:
                heard = [piece async for piece in pieces]
        except ProviderError as error:
            log.warning("%s falls back from %s: %s", job, served.model, error)
            continue
        return WrittenAnswer("".join(piece.text for piece in heard), served, heard[-1].truncated)
    return None


def unfenced(text: str) -> str:
    """The text without the code fence that models put around JSON."""
    return re.sub(r"^\s*```(?:json)?\s*|\s*```\s*$", "", text)
