"""Stages 2 to 4 of a question that only asks to go on: the sentences that come next in the source, not a search."""

from dataclasses import dataclass

from chat.answering.domain.evidence.continuation import ContinuationRules, next_clip
from chat.answering.domain.evidence.quotation import Quote
from chat.answering.domain.question import CitedPlace, ThreadPlace
from chat.answering.domain.viewer import Viewer
from corpus.domain.passage import Passage
from corpus.domain.text.sentences import sentence_spans
from corpus.models import EmbeddingSpace
from corpus.surroundings import nearest_place, passages_onward


@dataclass(frozen=True, slots=True)
class NextClip:
    """What comes next: its quotes, and the passages they are of. Without quotes the source ends."""

    quotes: tuple[Quote, ...]
    passages: tuple[Passage, ...]


def read_on(
    place: ThreadPlace, viewer: Viewer, space: EmbeddingSpace | None, rules: ContinuationRules
) -> NextClip | None:
    """The sentences after the leading quote of the last answer; None if its place is not found any more."""
    if not place.cited:
        return _read_on_recalled(place.recalled, viewer, space, rules)
    leading = place.cited[0]
    shown = {cited.quote[start:end] for cited in place.cited for start, end in sentence_spans(cited.quote)}
    onward = passages_onward(leading.chunk_id, viewer.scope, rules.passages)
    if not onward or (after := _end_of(leading, onward[0][0])) is None:
        return None
    return NextClip(next_clip(onward, after, shown, rules), tuple(passage for passage, _ in onward))


def _end_of(quote: CitedPlace, passage: Passage) -> int | None:
    """Return where the quote ends in its passage; None where the passage has it no more."""
    start, end = quote.span
    if passage.text[start:end] == quote.quote:
        return end
    found = passage.text.find(quote.quote)
    return None if found < 0 else found + len(quote.quote)


def _read_on_recalled(
    recalled: str, viewer: Viewer, space: EmbeddingSpace | None, rules: ContinuationRules
) -> NextClip | None:
    """Return the same where only the text of the last answer is known: after the last of its sentences there."""
    found = nearest_place(recalled, space, viewer.scope, rules.recall_floor) if space and recalled else None
    onward = passages_onward(found[0], viewer.scope, rules.passages) if found else []
    if not found or not onward:
        return None
    texts = [passage.text[start:end] for passage, _ in onward for start, end in sentence_spans(passage.text)]
    shown = {text for text in texts if text in recalled}
    first = onward[0][0].text
    after = max([found[1][1], *(first.find(text) + len(text) for text in shown if text in first)])
    return NextClip(next_clip(onward, after, shown, rules), tuple(passage for passage, _ in onward))
