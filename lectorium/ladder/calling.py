"""Calling what the ladder resolved: within budget, counted, and on to the next rung where one fails."""

import logging
import re
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, replace

from lectorium.ladder.calls import BUILTIN_DID, Call, note
from lectorium.ladder.metered_model import MeteredModel, patience_left
from lectorium.ladder.prompts import Slot
from lectorium.ladder.selectors import ResolvedModel, budget_check, chain, prompt
from lectorium.ladder.services import usage_record
from lectorium.providers.errors import ProviderError
from lectorium.providers.protocols import ChatMessage, Piece, Schema
from lectorium.threads import in_thread

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """A whole answer, who wrote it, and whether the token limit cut it."""

    text: str
    served: ResolvedModel
    truncated: bool


async def stream(
    served: ResolvedModel, messages: Sequence[ChatMessage], *, schema: Schema | None = None, tool: str | None = None
) -> AsyncGenerator[Piece, None]:
    """Stream from a rung that is not the builtin, note it and count it however it ends. Raises ProviderError."""
    model = await in_thread(reach_model, served)
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


def reach_model(served: ResolvedModel) -> MeteredModel:
    """Return the rung's model, where its budget allows a call; where not, or where it is not there, that is noted.

    Raises ProviderError.
    """
    try:
        budget_check(served.job)
        patience_left(served)
        return MeteredModel(served)
    except ProviderError as error:
        note(Call(served, error.fault, time.time()))
        raise


@contextmanager
def metered(served: ResolvedModel) -> Iterator[MeteredModel]:
    """Yield the rung's model, within budget, and record its calls. Raises ProviderError.

    For checks: their loop runs on a thread of its own, so nothing within it may wait for another of the threads.
    """
    model = reach_model(served)
    try:
        yield model
    finally:
        for call in model.calls:
            usage_record(call=call)


def note_builtin(served: ResolvedModel) -> None:
    """Note that no model was to be asked, so that the turns of an A/B split's other side can be told."""
    note(Call(served, BUILTIN_DID, time.time()))


async def write(
    job: str,
    key: str,
    slots: dict[str, Slot],
    *,
    schema: Schema | None = None,
    tool: str | None = None,
) -> WrittenAnswer | None:
    """Return the first whole answer that a rung gives to its job's prompt; None where the builtin must do the job."""
    for served in await in_thread(chain, job, key):
        if served.is_builtin:
            note_builtin(served)
            return None
        asked = await in_thread(prompt, job, served.prompt)
        served = replace(served, prompt=asked.version)
        try:
            async with aclosing(stream(served, asked.fill(**slots), schema=schema, tool=tool)) as pieces:
                heard = [piece async for piece in pieces]
        except ProviderError as error:
            log.warning("%s goes on without %s: %s", job, served.model, error)
            continue
        return WrittenAnswer("".join(piece.text for piece in heard), served, heard[-1].truncated)
    return None


def unfenced(text: str) -> str:
    """Return the text without the code fence that models like to put around JSON."""
    return re.sub(r"^\s*```(?:json)?\s*|\s*```\s*$", "", text)
