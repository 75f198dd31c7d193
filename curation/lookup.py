"""The curated lane's look-up: which published entries resemble a question, and what they refer to."""

import functools
from collections.abc import Sequence
from uuid import UUID

import numpy as np
from django.db.models import Count, Max

from curation.domain.acceptance import (
    CuratedMatch,
    CuratedRules,
    Entry,
    PinDecision,
    decide_pin,
    is_strong,
    on_reference_scale,
)
from curation.models import MemoryNote, PinnedQuestion
from lectorium.providers.protocols import Embedder, Matrix, Reader

_RULES = CuratedRules()
JUDGED_AT_MOST = 3  # border cases a turn: the judge reads each


def curation_version() -> str:
    """Return what changes when an editor publishes, edits or withdraws an entry."""
    marks = []
    for model in (PinnedQuestion, MemoryNote):
        row = model.objects.filter(state=model.State.PUBLISHED).aggregate(count=Count("pk"), latest=Max("updated_at"))
        marks.append(f"{row['count']}@{row['latest'].isoformat() if row['latest'] else ''}")
    return "/".join(marks)


def curated_matches(
    wordings: Sequence[str],
    vectors: Matrix,
    *,
    language: str,
    embedder: Embedder,
    scale: Sequence[tuple[float, float]],
    judge: Reader | None,
) -> list[CuratedMatch]:
    """Return the entries accepted for a question, most similar first.

    wordings, vectors: the question's wordings, the standalone one first, and their unit vectors (n, width). scale: the
    space's calibrated points. judge: reads border cases; without one they are rejected. Nothing published, no work.
    """
    entries, phrasings, stored = _published(curation_version(), embedder)  # type: ignore[arg-type]  # hashed by identity
    if not entries:
        return []
    cosines = (stored @ vectors.T).max(axis=1)
    best: dict[UUID, tuple[float, int]] = {}
    for row, (owner, _) in enumerate(phrasings):
        best[entries[owner].id] = max(best.get(entries[owner].id, (-1.0, 0)), (float(cosines[row]), row))
    found, asked = [], 0
    for entry in sorted(entries, key=lambda one: -best[one.id][0]):
        cosine, row = best[entry.id]
        similarity, phrasing = on_reference_scale(cosine, scale), phrasings[row][1]
        if entry.kind == "note":
            match = _note(entry, similarity, phrasing)
        else:
            decision = decide_pin(similarity, same_language=entry.language == language, rules=_RULES)
            judged = None
            if decision is PinDecision.ASK_JUDGE and judge and asked < JUDGED_AT_MOST:
                asked += 1
                judged = judge.read(wordings[0], [phrasing])[0].answerability
            match = _pin(entry, similarity, phrasing, decision, judged)
        found += [match] if match else []
    return found


def _pin(
    entry: Entry, similarity: float, phrasing: str, decision: PinDecision, judged: float | None
) -> CuratedMatch | None:
    accepted = decision is PinDecision.ACCEPT or (judged is not None and judged >= _RULES.pin_judged)
    return CuratedMatch(entry, similarity, phrasing, True, True, judged) if accepted else None


def _note(entry: Entry, similarity: float, phrasing: str) -> CuratedMatch | None:
    if similarity < _RULES.note_accept:
        return None
    strong = is_strong(similarity, len(entry.references), _RULES)
    return CuratedMatch(entry, similarity, phrasing, strong or similarity >= _RULES.note_cites, strong)


@functools.lru_cache(maxsize=2)
def _published(version: str, embedder: Embedder) -> tuple[list[Entry], list[tuple[int, str]], Matrix]:
    """Return the published entries, their phrasings as (entry's place, text), and the phrasings' vectors.

    `version` only tells one state of curation from the next.
    """
    pins = PinnedQuestion.objects.filter(state=PinnedQuestion.State.PUBLISHED)
    notes = MemoryNote.objects.filter(state=MemoryNote.State.PUBLISHED)
    entries = [
        *(Entry(pin.pk, "pin", pin.language, (pin.question,), tuple(pin.references)) for pin in pins),
        *(
            Entry(note.pk, "note", note.language, (note.title, *note.triggers), tuple(note.references), note.body)
            for note in notes
        ),
    ]
    phrasings = [(place, text) for place, entry in enumerate(entries) for text in entry.phrasings if text.strip()]
    if not phrasings:
        return [], [], np.zeros((0, 0), dtype=np.float32)
    return entries, phrasings, embedder.embed_questions([text for _, text in phrasings])
