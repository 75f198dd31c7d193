"""The reader who asks, and what they may see."""

from dataclasses import dataclass
from uuid import UUID

from corpus.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class Viewer:
    """An account, or an anonymous reader known by the hash of a session key; and the collections visible to them.

    sees_all: every collection is visible, so look-ups need no filter. elsewhere: visible collections outside this
    question's scope. languages, kinds, sources (ids of works and lectures): further narrowing within the collections;
    empty for none.
    """

    user_id: int | None = None
    visitor: str = ""
    collections: tuple[UUID, ...] = ()
    sees_all: bool = False
    elsewhere: tuple[UUID, ...] = ()
    languages: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    sources: tuple[UUID, ...] = ()

    @property
    def narrowed_to(self) -> list[str]:
        """The narrowing as text; equal only for equal narrowing."""
        sources = sorted(map(str, self.sources))
        return [*map("language:{}".format, self.languages), *map("kind:{}".format, self.kinds), *sources]

    @property
    def scope(self) -> Scope:
        """The part of the corpus that this viewer's look-ups may find."""
        return Scope(None if self.sees_all else self.collections, self.languages, self.kinds, self.sources)
