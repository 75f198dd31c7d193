"""Who is asking: what they own and what they may be shown."""

from dataclasses import dataclass
from uuid import UUID

from corpus.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class Viewer:
    """An account, or an anonymous reader known by the hash of a session key; and the collections visible to them.

    sees_all: every collection there is, is visible; look-ups then need no filter. elsewhere: collections that the
    reader may know of, but has left out of this question's scope.
    """

    user_id: int | None = None
    visitor: str = ""
    collections: tuple[UUID, ...] = ()
    sees_all: bool = False
    elsewhere: tuple[UUID, ...] = ()

    @property
    def scope(self) -> Scope:
        """Return what of the corpus this viewer's look-ups may find."""
        return Scope(collections=None if self.sees_all else self.collections)
