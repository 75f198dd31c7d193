"""Acts on what the scan found, with an audited row for each act, and takes acts back. Nothing is ever deleted."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from curation.domain.facts.consistency import FactJudgement, Signal
from curation.models import Contradiction, Fact, FactChange, FactScan
from curation.services import contradiction_resolve, fact_supersede

Verdict = FactChange.Verdict


class ChangeRefused(ValueError):
    """The message says why a change cannot be taken back, and what to do."""


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """judge: “rules”, the verifier, or the model."""

    one: UUID
    other: UUID
    signals: frozenset[Signal]
    judgement: FactJudgement
    judge: str


@transaction.atomic
def change_apply(*, pair: JudgedPair, scan: FactScan | None) -> FactChange | None:
    """Act on a pair; None where it is settled already: a side is superseded, the pair linked, or an act taken back."""
    ids = (pair.one, pair.other)
    rows = {row.pk: row for row in Fact.objects.select_for_update().filter(pk__in=ids).order_by("pk")}
    if len(rows) < 2 or any(row.superseded_by_id for row in rows.values()):
        return None
    between = Q(fact=pair.one, by=pair.other) | Q(fact=pair.other, by=pair.one)
    if FactChange.objects.filter(between, undone_at__isnull=False).exists():
        return None
    verdict = pair.judgement.verdict
    if verdict == "contradiction":
        gone, kept = rows[pair.one], rows[pair.other]
        if not contradiction_open(one=gone, other=kept):
            return None
        before: dict[str, Any] = {}
    else:
        kept = rows[pair.judgement.kept or pair.one]
        gone = next(row for row in rows.values() if row.pk != kept.pk)
        before = {str(row.pk): _state(row) for row in (gone, *gone.supersedes.all())}
        _supersede(gone, kept, verdict)
    return FactChange.objects.create(
        scan=scan, verdict=verdict, fact=gone, by=kept, signals=", ".join(sorted(pair.signals)),
        because=pair.judgement.because, judge=pair.judge[:200], before=before,
    )  # fmt: skip


def _supersede(gone: Fact, kept: Fact, verdict: str) -> None:
    if verdict == Verdict.EVOLUTION:
        fact_supersede(fact=gone, by=kept)
        return
    _keep_conflicts(gone, kept)
    now = timezone.now()
    gone.supersedes.update(superseded_by=kept, updated_at=now)  # chains stay one link long
    Fact.objects.filter(pk=gone.pk).update(
        superseded_by=kept, superseded_because=Fact.Because.EQUIVALENT, updated_at=now
    )


def _keep_conflicts(gone: Fact, kept: Fact) -> None:
    """What contradicts a fact contradicts the one that says the same."""
    for linked in Contradiction.objects.filter(Q(one=gone) | Q(other=gone), resolved_at=None):
        third = linked.other if linked.one_id == gone.pk else linked.one
        if third.pk != kept.pk:
            contradiction_open(one=kept, other=third, note=linked.note)


def contradiction_open(*, one: Fact, other: Fact, note: str = "") -> bool:
    """False where the two are linked already, also where an editor settled it."""
    if Contradiction.objects.filter(Q(one=one, other=other) | Q(one=other, other=one)).exists():
        return False
    Contradiction.objects.create(one=one, other=other, note=note)
    return True


@transaction.atomic
def change_undo(*, change: FactChange, by: Any) -> bool:
    """Take an act back; False where it was already. The scan does not repeat it. Raises ChangeRefused.

    A contradiction that it settled is open again; those that it opened stay.
    """
    locked = FactChange.objects.select_for_update(of=("self",)).get(pk=change.pk)
    if locked.undone_at:
        return False
    between = Contradiction.objects.filter(Q(one=locked.fact, other=locked.by) | Q(one=locked.by, other=locked.fact))
    if locked.verdict == Verdict.CONTRADICTION:
        if linked := between.first():
            contradiction_resolve(contradiction=linked, decision=Contradiction.Decision.IN_CONTEXT, by=by)
    else:
        _restore(locked)
        # Nobody decided these: they were settled because one side was superseded.
        between.filter(decision=Contradiction.Decision.OPEN).update(resolved_at=None, updated_at=timezone.now())
    locked.undone_at, locked.undone_by = timezone.now(), by
    locked.save(update_fields=["undone_at", "undone_by"])
    return True


def _restore(change: FactChange) -> None:
    rows = Fact.objects.select_for_update().filter(pk__in=change.before).order_by("pk")
    for row in list(rows):
        superseded_by, because, valid_to = change.before[str(row.pk)]
        if row.pk == change.fact_id and not row.superseded_by_id:
            said = gettext("“{fact}” is in force again already. Nothing was changed.")
            raise ChangeRefused(said.format(fact=row))
        Fact.objects.filter(pk=row.pk).update(
            superseded_by=superseded_by, superseded_because=because, valid_to=valid_to, updated_at=timezone.now()
        )


def _state(row: Fact) -> list[Any]:
    valid_to = row.valid_to.isoformat() if row.valid_to else None
    return [str(row.superseded_by_id) if row.superseded_by_id else None, row.superseded_because, valid_to]


def touched(changes: Iterable[FactChange]) -> set[UUID]:
    """The facts that are not in force any more after these changes."""
    return {change.fact_id for change in changes if change.verdict != Verdict.CONTRADICTION}
