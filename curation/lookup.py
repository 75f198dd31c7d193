"""Finds the published pins and notes that match a question, and the chunks they refer to."""

import functools
from collections.abc import Sequence
from functools import partial
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models import Count, Max, QuerySet, Value

from corpus.domain.addresses.address import address_key
from corpus.domain.scope import Scope
from corpus.domain.text.sentences import sentence_spans
from corpus.language import lexemes, stemming_of
from corpus.selectors import standing_at
from curation.domain.acceptance import (
    CuratedMatch,
    CuratedRules,
    Entry,
    PinDecision,
    decide_pin,
    on_reference_scale,
    replaces_sweep,
)
from curation.domain.sameness import asks_the_same
from curation.models import Contradiction, Fact, MemoryNote, PinnedQuestion
from lectorium.providers.protocols import Embedder, Matrix, Reader

_RULES = CuratedRules()
REFERRED = 40  # chunks per entry
JUDGED_AT_MOST = 3  # pins per turn that the judge reads


def curation_version() -> str:
    """A value that changes with every change of a published entry, a fact or a contradiction."""
    return _marks(*_entries(), Fact.objects.all(), Contradiction.objects.all())


def _entries() -> tuple[QuerySet[PinnedQuestion], QuerySet[MemoryNote]]:
    return (
        PinnedQuestion.objects.filter(state=PinnedQuestion.State.PUBLISHED),
        MemoryNote.objects.filter(state=MemoryNote.State.PUBLISHED),
    )


def _marks(*kinds: QuerySet[Any]) -> str:
    """The count and latest change of each kind of row. One query."""
    counted = [
        rows.order_by().values(place=Value(place)).annotate(count=Count("pk"), latest=Max("updated_at"))
        for place, rows in enumerate(kinds)
    ]
    found = {row["place"]: row for row in counted[0].union(*counted[1:], all=True)}
    marks = [found.get(place, {"count": 0, "latest": None}) for place in range(len(kinds))]
    return "/".join(f"{mark['count']}@{mark['latest'].isoformat() if mark['latest'] else ''}" for mark in marks)


def curated_matches(
    wordings: Sequence[str],
    vectors: Matrix,
    *,
    language: str,
    embedder: Embedder,
    scale: Sequence[tuple[float, float]],
    judge: Reader | None,
    scope: Scope,
    whole: Sequence[bool],
) -> list[CuratedMatch]:
    """The entries accepted for a question, most similar first.

    wordings, vectors: the question's wordings, the standalone one first, and their unit vectors (n, width). scale: the
    space's calibrated points. judge: decides borderline pins; without one they are rejected. scope: what the reader may
    see. whole: which wordings ask the whole question, at least one; only those can match a pin, because a pin answers
    by itself.
    """
    entries, phrasings, stored = _published(_marks(*_entries()), embedder)  # type: ignore[arg-type]  # hashed by identity
    if not entries:
        return []
    meets = stored @ vectors.T
    cosines = {"note": meets.max(axis=1), "pin": meets[:, np.array(whole)].max(axis=1)}
    best: dict[UUID, tuple[float, int]] = {}
    for row, (owner, _) in enumerate(phrasings):
        entry = entries[owner]
        best[entry.id] = max(best.get(entry.id, (-1.0, 0)), (float(cosines[entry.kind][row]), row))
    found, asked, content = [], 0, partial(lexemes, language=stemming_of(language))
    for entry in sorted((entry for entry in entries if entry.id in best), key=lambda entry: -best[entry.id][0]):
        cosine, row = best[entry.id]
        similarity, phrasing = on_reference_scale(cosine, scale), phrasings[row][1]
        judged: float | None = None
        if entry.kind == "note":
            accepted = similarity >= _RULES.note_accept
        else:
            decision = decide_pin(similarity, same_language=entry.language == language, rules=_RULES)
            border = decision is PinDecision.ASK_JUDGE and asks_the_same(wordings[0], phrasing, content)
            if border and judge and asked < JUDGED_AT_MOST:
                asked += 1
                judged = judge.read(wordings[0], [phrasing])[0].answerability
            accepted = decision is PinDecision.ACCEPT or (judged is not None and judged >= _RULES.pin_judged)
        if accepted and (match := _match(entry, similarity, phrasing, judged, scope)):
            found.append(match)
    return found


def _match(entry: Entry, similarity: float, phrasing: str, judged: float | None, scope: Scope) -> CuratedMatch | None:
    """The match of an accepted entry with the chunks of its references within the scope.

    None for a note whose references are all outside it, since its body would reveal what this reader may not see.
    """
    keys = {address_key(reference) for reference in entry.references}
    standing = standing_at(list(keys), scope, REFERRED) if keys else []
    if entry.kind == "note" and keys and not standing:
        return None
    resolved = keys & {key for _, held in standing for key in held}
    skips = replaces_sweep(entry.kind, similarity, len(resolved), _RULES)
    score = _RULES.note_cites if entry.kind == "note" else similarity
    return CuratedMatch(entry, similarity, phrasing, tuple(chunk_id for chunk_id, _ in standing), skips, score, judged)


@functools.lru_cache(maxsize=2)
def _published(version: str, embedder: Embedder) -> tuple[list[Entry], list[tuple[int, str]], Matrix]:
    """The published entries, their phrasings as (index of the entry, text), and the phrasings' vectors.

    `version` is a cache key only.
    """
    pins, notes = _entries()
    entries = [
        *(Entry(pin.pk, "pin", pin.language, (pin.question,), tuple(pin.references)) for pin in pins),
        *(Entry(note.pk, "note", note.language, _phrasings(note), tuple(note.references), note.body) for note in notes),
    ]
    phrasings = [(place, text) for place, entry in enumerate(entries) for text in entry.phrasings if text.strip()]
    if not phrasings:
        return [], [], np.zeros((0, 0), dtype=np.float32)
    return entries, phrasings, embedder.embed_questions([text for _, text in phrasings])


def _phrasings(note: MemoryNote) -> tuple[str, ...]:
    """The phrasings of a note: its title, its triggers, and each sentence of its body."""
    return (note.title, *note.triggers, *(note.body[slice(*span)] for span in sentence_spans(note.body)))
