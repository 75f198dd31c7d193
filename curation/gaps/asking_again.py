"""Asks the questions of a gap again once its pin is published, and closes what is answered."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django_q.tasks import async_task

from audit.domain.redaction import REDACTED
from audit.gaps import gap_mark
from audit.models import GapCluster, KnowledgeGap, RegressionCase
from corpus.domain.addresses.address import address_key
from curation.domain.gap_answers import GapPinRules, answers_gap
from curation.entries import references_of
from curation.models import PinnedQuestion
from curation.tasks import index_entries
from lectorium import asking

ANSWER_KEPT = 1200  # characters
RULES = GapPinRules()
State = GapCluster.State


def pin_ask_again(*, pin: PinnedQuestion) -> None:
    """Queue the questions of every gap of a pin that was just published."""
    for cluster in GapCluster.objects.filter(pin=pin).exclude(state=State.DISMISSED):
        cluster_queue_asking(cluster=cluster)


def cluster_queue_asking(*, cluster: GapCluster) -> None:
    GapCluster.objects.filter(pk=cluster.pk).update(asking_since=timezone.now())
    transaction.on_commit(lambda: async_task("curation.gaps.tasks.ask_gap_again", str(cluster.pk)))


def cluster_ask_again(*, cluster_id: UUID) -> str:
    """Ask the questions of a gap again, close those that are answered, and keep them as regression cases.

    Returns a one-line summary. Safe to run twice.
    """
    cluster = GapCluster.objects.select_related("pin").filter(pk=cluster_id).first()
    if cluster is None:
        return "the gap is gone"
    pin = cluster.pin if cluster.pin and cluster.pin.state == PinnedQuestion.State.PUBLISHED else None
    wanted = references_of(pin) if pin else []
    gaps = list(cluster.gaps.exclude(question__in=("", REDACTED)).order_by("-times", "first_seen")[: RULES.asked_again])
    closed = 0
    try:
        index_entries()  # a pin takes part in turns once its wordings are embedded
        for gap in gaps:
            response = asyncio.run(asking.ask(gap.question))
            closed += _record(gap, response, pin, wanted)
    finally:
        GapCluster.objects.filter(pk=cluster_id).update(asking_since=None, asked_again_at=timezone.now())
    still_open = cluster.gaps.filter(state=KnowledgeGap.State.OPEN).exists()
    state = State.OPEN if still_open or not gaps else State.ANSWERED
    GapCluster.objects.filter(pk=cluster_id).exclude(state=State.DISMISSED).update(state=state)
    return f"{closed} of {len(gaps)} questions are answered now"


def _record(gap: KnowledgeGap, response: Mapping[str, Any], pin: PinnedQuestion | None, wanted: Sequence[str]) -> bool:
    """Store how a question was answered now; close it, and keep it as a regression case, if it is."""
    cited = [str(citation["address"]) for citation in response["citations"]]
    cites_pin = bool({address_key(a) for a in cited} & {address_key(a) for a in wanted})
    answered = answers_gap(gap.kind, response["outcome"], cites_pin=cites_pin)
    after = {
        "outcome": response["outcome"],
        "reason": response["reason"] or "",
        "answer": _shortened(str(response["answer"])),
        "cited": list(dict.fromkeys(cited)),
        "cites_pin": cites_pin,
        "answered": answered,
    }
    with transaction.atomic():
        KnowledgeGap.objects.filter(pk=gap.pk).update(after=after)
        gap_mark(gap_id=gap.pk, state=KnowledgeGap.State.CLOSED if answered else KnowledgeGap.State.OPEN)
        if answered:
            values = {"references": list(wanted) if cites_pin else after["cited"], "pin": pin, "active": True}
            RegressionCase.objects.update_or_create(key=gap.key, defaults={"question": gap.question, **values})
    return answered


def _shortened(text: str) -> str:
    return text if len(text) <= ANSWER_KEPT else f"{text[:ANSWER_KEPT].rsplit(' ', 1)[0]} …"
