"""The tokens of the gauntlet's output: prose and minted markers, and the text it dropped."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from chat.answering.domain.stream.markers import Kind


class DropReason(StrEnum):
    """Source: shared/design/pipeline.md, stage 4."""

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
    """The numbers that the model may refer to. Cards have those of their notes; no action can be referred to."""

    notes: Collection[int]
    verses: Collection[int] = ()
    chapters: Collection[int] = ()

    def holds(self, kind: Kind, number: int) -> bool:
        known = {"note": self.notes, "verse": self.verses, "chapter": self.chapters}
        return number in known.get(kind, ())


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
    """The tokens with neighbouring prose joined."""
    joined: list[Token] = []
    for token in tokens:
        if isinstance(token, Prose) and joined and isinstance(joined[-1], Prose):
            joined[-1] = Prose(joined[-1].text + token.text)
        else:
            joined.append(token)
    return joined
