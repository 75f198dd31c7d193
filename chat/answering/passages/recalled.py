"""Finds the place of a thread whose last answer is known only as a text, as in a conversation that a client sends."""

from dataclasses import replace

from chat.answering.domain.evidence.continuation import ContinuationRules
from chat.answering.domain.question import CitedPlace, ThreadPlace
from chat.answering.domain.viewer import Viewer
from corpus.domain.text.sentences import sentence_spans
from corpus.models import EmbeddingSpace
from corpus.selectors import passages
from corpus.surroundings import nearest_place


def found_place(place: ThreadPlace, viewer: Viewer, space: EmbeddingSpace | None) -> ThreadPlace:
    """The place with the sentences nearest to a text that is only recalled; as it is where none is near enough.

    Sentences of the passage that the text has word for word belong to the place.
    """
    if place.cited or space is None:
        return place
    nearest = nearest_place(place.recalled, space, viewer.scope, ContinuationRules().recall_floor)
    if nearest is None:
        return place
    (passage,) = passages([nearest[0]])
    recalled = [span for span in sentence_spans(passage.text) if passage.text[slice(*span)] in place.recalled]
    start, end = min([nearest[1], *recalled])[0], max([nearest[1], *recalled])[1]
    return replace(place, cited=(CitedPlace(passage.chunk_id, (start, end), passage.text[start:end]),))
