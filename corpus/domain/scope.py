"""Which chunks a look-up may find."""

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Scope:
    """Collections, languages, kinds and sources; an empty tuple leaves that open.

    collections: None for a reader who sees every one; an empty tuple for one who sees none.
    sources: lectures and works by id.
    """

    collections: tuple[UUID, ...] | None = None
    languages: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    sources: tuple[UUID, ...] = ()
