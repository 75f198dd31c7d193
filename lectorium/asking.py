"""The port through which everything below `chat` asks a question: evaluation, try-it, replay, commands.

`chat` fills it at start-up; without that, asking raises.
"""

from collections.abc import Awaitable, Callable
from typing import Any

Ask = Callable[..., Awaitable[dict[str, Any]]]
_ask: Ask | None = None


def fill(ask: Ask) -> None:
    """Connect the port to what answers."""
    global _ask
    _ask = ask


async def ask(
    text: str, *, mode: str = "auto", history: tuple[tuple[str, str], ...] = (), record: bool = False
) -> dict[str, Any]:
    """Return the response to a question, as an operator who sees every collection.

    history: (role, content) pairs, oldest first. record: keep the turn as a conversation that nobody owns.
    """
    if _ask is None:
        raise RuntimeError("Nothing answers questions yet: the chat app fills lectorium.asking at start-up.")
    return await _ask(text, mode=mode, history=history, record=record)
