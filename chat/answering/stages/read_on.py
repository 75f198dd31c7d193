"""Stages 2 to 4 of a question that only asks to go on: the sentences that come next in the source, not a search."""

from collections.abc import Collection
from dataclasses import dataclass

from chat.answering.domain.evidence.continuation import ContinuationRules, next_clip
from chat.answering.domain.evidence.quotation import Quote
from chat.answering.domain.question import CitedPlace, ThreadPlace
from chat.answering.domain.viewer import Viewer
from corpus.domain.passage import Passage
from corpus.surroundings import passages_onward


@dataclass(frozen=True, slots=True)
class NextClip:
    """What comes next: its quotes, and the passages they are of. Without quotes the source ends."""

    quotes: tuple[Quote, ...]
    passages: tuple[Passage, ...]


def read_on(place: ThreadPlace, viewer: Viewer, rules: ContinuationRules) -> NextClip | None:
    """The sentences after the leading quote of the last answer; None if its place is not found any more."""
    return _from(place, viewer, rules, len(place.cited[0].quote), place.shown) if place.cited else None


def read_beside(
    place: ThreadPlace, viewer: Viewer, rules: ContinuationRules, shown: Collection[str]
) -> NextClip | None:
    """The sentences after the one that answered, whether they were quoted with it or not; None as above.

    Where that is not known it is the sentences that the reader was not shown: a client's answer may be in other words.
    shown: sentences that are shown now.
    """
    if not place.cited:
        return None
    lead, at = place.cited[0].lead, place.cited[0].quote.find(place.cited[0].lead)
    if lead and at >= 0:
        return _from(place, viewer, rules, at + len(lead), shown)
    return _from(place, viewer, rules, 0, place.shown | frozenset(shown))


def _from(
    place: ThreadPlace, viewer: Viewer, rules: ContinuationRules, after: int, shown: Collection[str]
) -> NextClip | None:
    """What comes next after so many characters of the leading quote, without the sentences shown before it."""
    leading = place.cited[0]
    onward = passages_onward(leading.chunk_id, viewer.scope, rules.passages)
    if not onward or (start := _start_of(leading, onward[0][0])) is None:
        return None
    return NextClip(next_clip(onward, start + after, shown, rules), tuple(passage for passage, _ in onward))


def _start_of(quote: CitedPlace, passage: Passage) -> int | None:
    """Where the quote stands in its passage; None where the passage has it no more."""
    start, end = quote.span
    if passage.text[start:end] == quote.quote:
        return start
    found = passage.text.find(quote.quote)
    return None if found < 0 else found
