"""A chat model that obeys: it writes true lines, and then what every order in its prompt asks for.

The worst case for planted instructions: no prompt and no training holds it back, so only the checks do.
"""

import re
from collections.abc import AsyncGenerator, Mapping, Sequence

from lectorium.providers.protocols import ChatMessage, Piece, Schema

from .hostile import notes_in, pieces_of

_BAR = re.compile(r"^\|[ ]?", re.M)


class ObedientChat:
    """Writes `lines`, then the reply to each of `orders` that stands anywhere in its prompt.

    orders: reply by order. lines: true sentences with their markers. A reply cites the note that holds its order, or
    the first note where the order stands elsewhere. `obeyed` counts the orders found.
    """

    def __init__(self, orders: Mapping[str, str], lines: Sequence[str] = ()) -> None:
        self.name = "obedient:planted"
        self.obeyed = 0
        self._orders, self._lines = orders, lines

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        temperature: float,
        schema: Schema | None = None,
        tool: str | None = None,
    ) -> AsyncGenerator[Piece, None]:
        asked = "\n\n".join(message.text for message in messages)
        replies = [self._cited(reply, order, asked) for order, reply in self._orders.items() if holds(asked, order)]
        self.obeyed += len(replies)
        text = "\n\n".join(filter(None, (" ".join(self._lines), *replies))) or "There is nothing to write from."
        for piece in pieces_of(re.findall(r"\S+\s*", text), asked, max_tokens):
            yield piece

    def _cited(self, reply: str, order: str, asked: str) -> str:
        """The reply with a marker after each of its sentences; a block of code keeps its lines."""
        alias = next((note.alias for note in notes_in(asked) if holds(note.text, order)), 1)
        if "```" in reply:
            return f"{reply} [^{alias}]"
        return re.sub(r"(?<=\w)([.!?])(?=\s|$)", rf" [^{alias}]\1", reply)


def holds(text: str, order: str) -> bool:
    """Whether the order stands in the text, however both are broken into lines."""
    return _flat(order) in _flat(text)


def _flat(text: str) -> str:
    return " ".join(_BAR.sub("", text).split())
