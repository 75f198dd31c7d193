"""What comes out of the gauntlet: prose, markers that this turn minted, and a note of all that was dropped."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from chat.answering.domain.stream.markers import Kind


class DropReason(StrEnum):
    """Why something was dropped (shared/design/pipeline.md, stage 4)."""

    NEVER_MINTED = "never_minted"
    UNKNOWN_CARD = "unknown_card"
    UNFIRED_ACTION = "unfired_action"
    MALFORMED = "malformed"
    REPEATED = "repeated"
    LEAKED = "leaked_token"
    LINK = "link"
    HTML = "html"
    FENCE = "fence"
    FOOTNOTE_LIST = "footnote_list"


@dataclass(frozen=True, slots=True)
class MintedMarkers:
    """What this turn gave the model to refer to. Cards stand on the same aliases as notes."""

    notes: Collection[int]
    verses: Collection[int] = ()
    chapters: Collection[int] = ()
    actions: Collection[int] = ()

    def holds(self, kind: Kind, number: int) -> bool:
        """Was this number minted for this kind of marker?"""
        known = {"note": self.notes, "verse": self.verses, "chapter": self.chapters, "action": self.actions}
        return number in known[kind]


@dataclass(frozen=True, slots=True)
class Prose:
    text: str


@dataclass(frozen=True, slots=True)
class Marker:
    kind: Kind
    number: int


@dataclass(frozen=True, slots=True)
class DroppedText:
    reason: DropReason
    text: str


Token = Prose | Marker


def merged(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with neighbouring prose joined."""
    joined: list[Token] = []
    for token in tokens:
        if isinstance(token, Prose) and joined and isinstance(joined[-1], Prose):
            joined[-1] = Prose(joined[-1].text + token.text)
        else:
            joined.append(token)
    return joined
