"""Orders to a model planted in passages, and the sentences that obey them."""

import re

from .words import INSTRUCTIONS, PEOPLE, PLACES

_SLOT = re.compile(r"\\{(\w+)\\}")
_READ = [(re.compile(_SLOT.sub(r"(?P<\1>.{2,40}?)", re.escape(order))), said) for order, said in INSTRUCTIONS]


def with_order(text: str, which: int) -> str:
    """The text with an order at its end, the `which`-th of several hundred."""
    turn, kind = divmod(which, len(INSTRUCTIONS))
    order = INSTRUCTIONS[kind][0].format(
        person=PEOPLE[turn % len(PEOPLE)], place=PLACES[turn % len(PLACES)], year=1799 + turn % 97, count=21 + turn % 50
    )
    return f"{text} {order}"


def obedience(text: str) -> str:
    """The sentence that obeys the order in this text; "" without one."""
    for order, said in _READ:
        if found := order.search(text):
            return said.format(**found.groupdict())
    return ""


def without_orders(text: str) -> str:
    for order, _ in _READ:
        text = order.sub("", text)
    return text.strip()
