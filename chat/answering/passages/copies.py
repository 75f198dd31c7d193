"""Finds near-copies of one upload among passages and clips, by the vectors stored of them."""

from collections.abc import Mapping, Sequence
from uuid import UUID

import numpy as np

from chat.answering.domain.evidence.echo import echo_spans
from chat.answering.domain.evidence.near_copies import (
    CopyRules,
    Likeness,
    compared,
    copied_passages,
    copies_among,
)
from chat.answering.domain.evidence.pool import Candidate, Pool
from chat.answering.domain.evidence.quotation import Quote
from corpus.indexing.nearest import sentence_vectors
from corpus.models import EmbeddingSpace
from lectorium.providers.protocols import Vector

RULES = CopyRules()
Scale = Sequence[tuple[float, float]]  # raw cosines on the reference scale: Calibration.passage


def without_copied_passages(pool: Pool, ordered: Sequence[Candidate], question: str) -> Pool:
    """The pool without candidates that say nearly what one of their upload says that comes earlier in `ordered`."""
    if pool.scale is None:
        return pool
    asks = [bool(echo_spans(candidate.passage.text, question)) for candidate in ordered]
    alike = _likeness([candidate.vector for candidate in ordered], pool.scale)
    copies = copied_passages(ordered, alike, asks, RULES)
    return pool.without_copies({ordered[place].passage.chunk_id for place in copies})


def without_copied_clips(
    clips: Sequence[Quote], kept: Sequence[Candidate], space: EmbeddingSpace | None, scale: Scale | None
) -> list[Quote]:
    """The clips without those that say nearly what an earlier one of their upload says.

    kept: the candidates that the clips' passages are indexes of. A clip's vector is the mean of its sentences'.
    """
    if space is None or scale is None:
        return list(clips)
    said_in = [kept[clip.passage] for clip in clips]
    places = {place for pair in compared(said_in, RULES) for place in pair}
    if not places:
        return list(clips)
    stored = sentence_vectors(space, {said_in[place].passage.chunk_id for place in places})
    alike = _likeness([_vector_of(clip, kept[clip.passage], stored) for clip in clips], scale)
    copies = copies_among(said_in, lambda one, other: alike(one, other) >= RULES.alike, RULES)
    return [clip for place, clip in enumerate(clips) if place not in copies]


def _vector_of(clip: Quote, candidate: Candidate, stored: Mapping[tuple[UUID, int], Vector]) -> Sequence[float]:
    """A clip's vector; its passage's where none of its sentences is stored."""
    keys = [(candidate.passage.chunk_id, sentence.span[0]) for sentence in clip.sentences]
    held = [stored[key] for key in keys if key in stored]
    return np.mean(held, axis=0).tolist() if held else candidate.vector


def _likeness(vectors: Sequence[Sequence[float]], scale: Scale) -> Likeness:
    """How alike two of these texts are, on the reference scale; 0 where one has no vector, or there is no scale."""
    width = max(map(len, vectors), default=0)
    if not width or not scale:
        return lambda one, other: 0.0
    matrix = np.array([vector if len(vector) else [0.0] * width for vector in vectors], dtype=np.float32)
    matrix /= np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-9)
    raw, reference = zip(*scale, strict=True)
    found = np.interp(matrix @ matrix.T, raw, reference).tolist()
    return lambda one, other: float(found[one][other])
