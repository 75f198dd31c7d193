"""A panel of the admin home."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Viewer = Any  # the signed-in user


@dataclass(frozen=True, slots=True)
class HomeLine:
    """A line of a panel. post: where its button posts to, with the button's name."""

    text: str
    url: str = ""
    detail: str = ""
    post: str = ""
    button: str = ""


@dataclass(frozen=True, slots=True)
class HomePanel:
    """key: names its section of the page. figure: its headline. waits: whether somebody has to do something."""

    key: str
    title: str
    url: str
    figure: str
    lines: Sequence[HomeLine] = ()
    waits: bool = False


def counted(number: int, one: str, many: str = "") -> str:
    """E.g. "1 lecture", "12 lectures"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
