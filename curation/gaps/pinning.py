"""Opens a pin for a knowledge gap, filled in from its questions and from the passages nearest to them."""

from django.db import transaction
from django.utils.translation import gettext

from audit.domain.redaction import REDACTED
from audit.models import GapCluster, KnowledgeGap
from corpus.domain.text.folding import fold
from corpus.domain.text.question_language import language_of
from curation.domain.gap_answers import GapPinRules, likely_references, other_wordings
from curation.entries import CurationRefused, Editor, dead_references, scope_of
from curation.models import Curated, PinnedQuestion
from curation.services import LIMITS, pin_draft

RULES = GapPinRules()


@transaction.atomic
def cluster_pin(*, cluster: GapCluster, by: Editor) -> PinnedQuestion:
    """The pin of a gap: the one it has, or a new draft. Raises CurationRefused.

    Where two editors open it at once, both get the same pin.
    """
    locked = GapCluster.objects.select_for_update(of=("self",)).select_related("pin").get(pk=cluster.pk)
    if locked.pin and locked.pin.state != Curated.State.WITHDRAWN:
        return locked.pin
    gaps = list(questions_of(locked))
    if not gaps:
        raise CurationRefused(gettext("The questions of this gap are not stored, so there is nothing to pin."))
    question = gaps[0].question[: LIMITS.phrasing_chars]
    language = language_of(question, "en")
    pin = PinnedQuestion.objects.filter(question__iexact=question, language=language, collection=None)
    drafted = pin.exclude(state=Curated.State.WITHDRAWN).first() or pin_draft(
        question=question,
        references=suggested_references(gaps, by),
        phrasings=other_wordings(question, (gap.question for gap in gaps if _fits(gap)), fold, RULES),
        language=language,
        by=by,
    )
    GapCluster.objects.filter(pk=locked.pk).update(pin=drafted)
    return drafted


def questions_of(cluster: GapCluster) -> "list[KnowledgeGap]":
    """The stored questions of a gap, most asked first."""
    gaps = cluster.gaps.exclude(question__in=("", REDACTED))
    return sorted(gaps, key=lambda gap: (-gap.times, len(gap.question), gap.first_seen))


def suggested_references(gaps: "list[KnowledgeGap]", by: Editor) -> list[str]:
    """The passages nearest to the questions that this editor may read."""
    likely = likely_references((gap.nearest, gap.times) for gap in gaps)
    dead = set(dead_references(likely, scope_of(by)))
    return [address for address in likely if address not in dead][: RULES.references]


def _fits(gap: KnowledgeGap) -> bool:
    return len(gap.question) <= LIMITS.phrasing_chars
