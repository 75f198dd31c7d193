"""The filter of a look-up."""

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Scope:
    """Empty tuples of languages, kinds and sources match everything. sources: ids of lectures and works.

    collections: None matches all; an empty tuple matches none.
    """

    collections: tuple[UUID, ...] | None = None
    languages: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    sources: tuple[UUID, ...] = ()
