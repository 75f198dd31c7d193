"""Cards: a verse, or its chapter, that a sentence refers to with [verse:n] or [chapter:n].

A card is shown only if its note proves the sentence: it is a citation that is also displayed. Actions ([action:n]) are
not implemented, so every such marker is dropped and logged (docs/operators.md).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chat.answering.domain.checking import VerifiedSentence
from chat.answering.domain.footnotes import Footnote
from corpus.domain.passage import Passage

_VERSE_NUMBERS = re.compile(r"[.:]\d+(?:\s*[-–]\s*\d+)?$")


@dataclass(frozen=True, slots=True)
class Card:
    """kind: "verse" or "chapter". address: of the verse or of the chapter."""

    kind: str
    address: str
    passage: Passage


def cards_of(checked: VerifiedSentence) -> tuple[Card, ...]:
    """The cards of a sentence, in order, without repeats."""
    proved = {proof.note: proof.passage for proof in checked.proofs}
    cards = [
        Card(marker.kind, _address(marker.kind, proved[marker.number].address), proved[marker.number])
        for marker in checked.drafted.markers
        if marker.kind in ("verse", "chapter") and marker.number in proved
    ]
    return tuple(dict.fromkeys(cards))


def offered(notes: Sequence[Footnote]) -> str:
    """The sentence in the prompt that says which notes have cards; "" if none has."""
    verses = [str(note.alias) for note in notes if note.passage.kind == "verse"]
    if not verses:
        return ""
    first = verses[0]
    return (
        f"Verses are the notes {', '.join(verses)}: of these alone, [verse:{first}] in place of the plain marker also "
        f"shows the verse to the reader, and [chapter:{first}] the chapter it stands in."
    )


def _address(kind: str, address: str) -> str:
    return _VERSE_NUMBERS.sub("", address) if kind == "chapter" else address
