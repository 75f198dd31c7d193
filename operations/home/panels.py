"""A panel of the admin home."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.formats import number_format

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


def counted(text: str, number: int) -> str:
    """The text, of `ngettext`, with its number."""
    return text % {"n": grouped(number)}


def grouped(number: int) -> str:
    return number_format(number, force_grouping=True)
