"""An editor's entry as matching sees it."""

import hashlib
import json
from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Entry:
    """A pin or note: what it is matched on, its references, a pin's framing, and a note's body.

    phrasings: a pin's question and its other wordings; a note's title, triggers and sentences. triggers: of a note; a
    question that says one of them matches. collection: the only one whose readers the entry is for, or None. state: as
    in `Curated`.
    """

    id: UUID
    kind: str
    language: str
    phrasings: tuple[str, ...]
    references: tuple[str, ...]
    body: str = ""
    framing: str = ""
    triggers: tuple[str, ...] = ()
    collection: UUID | None = None
    state: str = "published"

    @property
    def title(self) -> str:
        """A pin's question or a note's title, which is its first phrasing."""
        return self.phrasings[0]

    @property
    def fingerprint(self) -> str:
        """Changes with every text that is embedded. Vectors with another fingerprint are not used."""
        return hashlib.sha256(json.dumps(self.phrasings).encode()).hexdigest()
