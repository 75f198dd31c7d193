"""What every pin and note would do for a question, for the editor who tries it. Works on unsaved edits."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np

from corpus.domain.scope import Scope
from corpus.models import EmbeddingSpace
from corpus.selectors import serving_space, space_embedder
from curation.domain.acceptance import CuratedMatch, Likeness
from curation.domain.entry import Entry
from curation.lookup import match_of, within
from curation.matching.entries import INDEXED, entries_in, with_vectors
from curation.matching.likeness import MatchedQuestion, likenesses
from curation.matching.rules import rule_of
from lectorium import asking
from lectorium.providers.registry import rewording_judge

NOT_FITTED = (
    "Matching is not fitted for these models, so only exact wordings match. Ask an operator to run "
    "`manage.py calibrate_pins`."
)
NOT_INDEXED = "It waits for the index job, so it matches nothing yet."
REPLIED = "This question gets a reply of its own, such as to a greeting or a vague question; nothing is searched."
NEAR = (
    "Does not answer by itself. Its passages are read with what the search finds, the gate decides, and its question "
    "is offered to the reader."
)
NO_SPACE = "The corpus is not indexed yet, so nothing can be tried. Ask an operator to run `manage.py index`."


class PreviewRefused(ValueError):
    """The message tells the editor why nothing can be tried."""


@dataclass(frozen=True, slots=True)
class MatchPreview:
    """What an entry would do for a question.

    similarity, threshold: 0..1; of a pin the chance that both ask the same, of a note a cosine. judged: the reading
    model's support, where it was asked. would: in words, what would happen if the entry were published. is_tried: the
    entry under the editor's hands. collides: another entry that would answer too. near: a pin that does not answer, but
    is offered and gives its passages to the search.
    """

    entry: UUID
    kind: str
    title: str
    state: str
    phrasing: str
    similarity: float
    threshold: float
    judged: float | None
    accepted: bool
    would: str
    reason: str
    is_tried: bool
    collides: bool
    near: bool = False

    @property
    def needs_same_words(self) -> bool:
        """Whether no similarity is enough: without a judge of rewordings only the words of a phrasing meet a pin."""
        return self.kind == "pin" and self.threshold >= 1.0


def preview_match(
    question: str, *, language: str, scope: Scope, entry: Entry | None = None
) -> tuple[MatchPreview, ...]:
    """Every entry that is not withdrawn, what takes part first. Records nothing. Raises PreviewRefused.

    The question is planned as in a turn, with its spelling corrected and glossary synonyms added, but without a model.
    language: of the page, for a question whose own cannot be told.
    entry: unsaved edits (`pin_entry` or `note_entry` of `curation.matching.entries`), in place of the stored version.
    scope: what the editor may see.
    """
    space = serving_space()
    if space is None:
        raise PreviewRefused(NO_SPACE)
    embedder, judge = space_embedder(space), rewording_judge()
    rule = rule_of(space.model, judge)
    planned = asking.plan(question, locale=language, collections=scope.collections)
    others = [other for other in entries_in(INDEXED) if entry is None or other.id != entry.id]
    matchable = within(with_vectors(others, space.pk, space.width), scope)
    if entry is not None and entry.phrasings:
        matchable = matchable.with_entry(entry, embedder.embed_questions(list(entry.phrasings)))
    vectors = np.asarray(embedder.embed_questions(list(planned.wordings)))
    asked = MatchedQuestion(planned.wordings, vectors, planned.whole, planned.language)
    found = likenesses(asked, matchable, rule, judge)
    if planned.has_reply:
        found = [(other, replace(likeness, accepted=False, near=False, reason=REPLIED)) for other, likeness in found]
    matched = {
        other.id: match_of(other, likeness, scope) for other, likeness in found if likeness.accepted or likeness.near
    }
    answering = [key for key, match in matched.items() if match and match.entry.kind == "pin" and not match.is_near]
    tried = entry.id if entry else None
    rows = [
        _preview(other, likeness, matched.get(other.id), is_tried=other.id == tried, answering=answering)
        for other, likeness in found
    ]
    return (*rows, *_waiting(matchable.waiting, fitted=rule is not None))


def _preview(
    entry: Entry, likeness: Likeness, match: CuratedMatch | None, *, is_tried: bool, answering: list[UUID]
) -> MatchPreview:
    return MatchPreview(
        entry=entry.id,
        kind=entry.kind,
        title=entry.title,
        state=entry.state,
        phrasing=likeness.phrasing,
        similarity=likeness.similarity,
        threshold=likeness.threshold,
        judged=likeness.judged,
        accepted=likeness.accepted,
        would=_would(entry, likeness, match),
        reason=likeness.reason,
        is_tried=is_tried,
        collides=entry.id in answering and len(answering) > 1,
        near=likeness.near and match is not None,
    )


def _would(entry: Entry, likeness: Likeness, match: CuratedMatch | None) -> str:
    if likeness.near and match:
        return NEAR
    if not likeness.accepted:
        return "Nothing."
    cited = len(match.cited) if match else 0
    if entry.kind == "pin":
        if not cited:
            return "Nothing: none of its references can be found. The search goes on."
        return f"Answers with its {cited} passage{'' if cited == 1 else 's'}, in its order."
    if match is None:
        return "Nothing: you may see none of its references."
    if match.skips_sweep:
        return f"Its {cited} references replace the search. The gate still refuses if none of them answers."
    return "Joins the search as background. The gate may still refuse; the turn's record then says so."


def _waiting(entries: Iterable[Entry], *, fitted: bool) -> Iterable[MatchPreview]:
    for entry in entries:
        yield MatchPreview(
            entry.id, entry.kind, entry.title, entry.state, entry.title, 0.0, 1.0, None, False, "Nothing.",
            NOT_INDEXED if fitted else f"{NOT_INDEXED} {NOT_FITTED}", False, False,
        )  # fmt: skip


def matched_in(space: EmbeddingSpace) -> str:
    """What an editor should know of matching in this space; "" where all is well."""
    return "" if rule_of(space.model, rewording_judge()) else NOT_FITTED
