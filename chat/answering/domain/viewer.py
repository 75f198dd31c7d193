"""Who is asking: what they own and what they may be shown."""

from dataclasses import dataclass
from uuid import UUID

from corpus.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class Viewer:
    """An account, or an anonymous reader known by the hash of a session key; and the collections visible to them.

    sees_all: every collection there is, is visible; look-ups then need no filter. elsewhere: collections that the
    reader may know of, but has left out of this question's scope. languages, kinds, sources (ids of works and
    lectures): to what the question is narrowed within the collections; empty ones leave that open.
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
        """Return what the question is narrowed to, in words that differ wherever the narrowing does."""
        sources = sorted(map(str, self.sources))
        return [*map("language:{}".format, self.languages), *map("kind:{}".format, self.kinds), *sources]

    @property
    def scope(self) -> Scope:
        """Return what of the corpus this viewer's look-ups may find."""
        return Scope(None if self.sees_all else self.collections, self.languages, self.kinds, self.sources)
