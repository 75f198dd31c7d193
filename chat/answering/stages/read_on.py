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
    return _from(place, viewer, rules, place.shown, after_quote=True)


def read_beside(
    place: ThreadPlace, viewer: Viewer, rules: ContinuationRules, shown: Collection[str]
) -> NextClip | None:
    """The same, from the first sentence there that the reader was not shown: a client's answer may be in other words.

    shown: sentences that are shown now.
    """
    return _from(place, viewer, rules, place.shown | frozenset(shown), after_quote=False)


def _from(
    place: ThreadPlace, viewer: Viewer, rules: ContinuationRules, shown: Collection[str], *, after_quote: bool
) -> NextClip | None:
    if not place.cited:
        return None
    leading = place.cited[0]
    onward = passages_onward(leading.chunk_id, viewer.scope, rules.passages)
    if not onward or (span := _span_of(leading, onward[0][0])) is None:
        return None
    clip = next_clip(onward, span[1] if after_quote else span[0], shown, rules)
    return NextClip(clip, tuple(passage for passage, _ in onward))


def _span_of(quote: CitedPlace, passage: Passage) -> tuple[int, int] | None:
    """Where the quote stands in its passage; None where the passage has it no more."""
    start, end = quote.span
    if passage.text[start:end] == quote.quote:
        return start, end
    found = passage.text.find(quote.quote)
    return None if found < 0 else (found, found + len(quote.quote))
