"""Reads expected.txt: what each role gets."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.permissions.site import ROLES

STAFF = ROLES[3:]
_FILE = Path(__file__).with_name("expected.txt")


@dataclass(frozen=True)
class PageRow:
    name: str
    method: str
    thing: str
    statuses: dict[str, str]


@cache
def section(name):
    """The rows of a part of the file, as the cells between two or more spaces; without its first, which names them."""
    part = _FILE.read_text(encoding="utf-8").partition(f"\n== {name}\n")[2].partition("\n== ")[0]
    lines = [line for line in part.splitlines() if line and not line.startswith("#")]
    return [re.split(r" {2,}", line.strip()) for line in lines[1:]]


def rows(name):
    """The rows of a part whose last cells are a column for each role."""
    for cells in section(name):
        *named, method, thing = cells[: -len(ROLES)]
        yield PageRow(*named, method, thing, dict(zip(ROLES, cells[-len(ROLES) :], strict=True)))


def letters(role):
    """{model: what the role may do with its rows}; nothing for those who are not staff."""
    at = STAFF.index(role) if role in STAFF else None
    return {model: "" if at is None else may[at].strip("-") for model, *may in section("models")}


def actions():
    """{(model, action): the roles that may take it}."""
    return {(model, action): set(roles.split(", ")) for model, action, roles in section("actions")}


def words(role):
    """The (word, place) that the role may read."""
    return {(word, place) for word, place, roles in section("words") if role in roles.split(", ")}
