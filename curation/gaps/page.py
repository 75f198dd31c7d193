"""What the page of a knowledge gap shows, as far as the editor may read it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from audit.domain.gaps import reason_in_words
from audit.models import GapCluster, KnowledgeGap
from corpus.domain.scope import Scope
from curation.domain.gap_answers import likely_references
from curation.entries import references_of, scope_of
from curation.gaps.pinning import questions_of
from curation.places import ReferenceView, reference_views

EXAMPLES, NEAREST = 25, 5
OUTCOMES = {
    "grounded": "Answered",
    "partially_grounded": "Answered in part",
    "closest_passage": "Closest passage only",
    "refused": "Refused",
    "out_of_corpus": "Answered from general knowledge",
}


@dataclass(frozen=True, slots=True)
class GapQuestion:
    """A question of a gap before and after it was asked again. `answer` is empty where it quotes what is hidden."""

    gap: KnowledgeGap
    before: str
    after: str = ""
    answer: str = ""
    answered: bool = False
    cited: Sequence[ReferenceView] = ()


def gap_page(cluster: GapCluster, by: Any) -> dict[str, Any]:
    """The context of the page's template."""
    scope, gaps = scope_of(by), questions_of(cluster)
    nearest = likely_references((gap.nearest, gap.times) for gap in gaps)[:NEAREST]
    reasons = {reason_in_words(gap.reason): 0 for gap in gaps}
    for gap in gaps:
        reasons[reason_in_words(gap.reason)] += gap.times
    return {
        "questions": [_question(gap, scope) for gap in gaps[:EXAMPLES]],
        "more_questions": max(0, len(gaps) - EXAMPLES),
        "reasons": sorted(reasons.items(), key=lambda item: -item[1]),
        "nearest": [view for view in reference_views(nearest, scope) if view.passage],
        "hidden_nearest": bool(nearest),
        "pinned": reference_views(references_of(cluster.pin), scope) if cluster.pin else [],
        "answered_now": sum(bool(gap.after.get("answered")) for gap in gaps),
        "asked_now": sum(bool(gap.after) for gap in gaps),
    }


def _question(gap: KnowledgeGap, scope: Scope) -> GapQuestion:
    before = reason_in_words(gap.reason)
    if not gap.after:
        return GapQuestion(gap, before)
    addresses = gap.after["cited"]
    cited = reference_views(addresses, scope)
    is_open = all(view.passage for view in cited)
    outcome = gap.after["outcome"]
    said = OUTCOMES.get(outcome, outcome.replace("_", " ").capitalize())
    return GapQuestion(
        gap,
        before,
        f"{said}, {'citing the pin' if gap.after['cites_pin'] else 'not citing the pin'}" if cited else said,
        gap.after["answer"] if is_open else "",
        gap.after["answered"],
        [view for view in cited if view.passage],
    )
