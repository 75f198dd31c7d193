"""Versions of an entry as values by field, and what differs between them."""

from collections.abc import Mapping
from dataclasses import dataclass

Values = Mapping[str, str]  # by the field's name, as shown


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field that two versions hold differently. yours: what an editor was about to save, in a conflict."""

    name: str
    before: str
    after: str
    yours: str = ""


def changes_between(before: Values, after: Values) -> tuple[FieldChange, ...]:
    names = {**before, **after}
    differing = (name for name in names if before.get(name, "") != after.get(name, ""))
    return tuple(FieldChange(name, before.get(name, ""), after.get(name, "")) for name in differing)


def conflicts(opened: Values, stored: Values, yours: Values) -> tuple[FieldChange, ...]:
    """What was changed since an editor opened the entry, beside what that editor was about to save."""
    found = changes_between(opened, stored)
    return tuple(FieldChange(change.name, change.before, change.after, yours.get(change.name, "")) for change in found)
