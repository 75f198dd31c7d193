"""What changes curation."""

from datetime import date

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from corpus.importers.drafts import NoteDraft, PinDraft
from curation.models import Contradiction, Fact, MemoryNote, PinnedQuestion


class CannotSupersede(ValueError):
    """One fact cannot take the other's place; the message says why."""


def imported_keep(draft: PinDraft | NoteDraft) -> bool:
    """Keep a pin or note of an imported library as a draft for review; return whether it is new.

    One that is there already stays as editors left it.
    """
    lists = {"references": list(draft.references)}
    if isinstance(draft, PinDraft):
        _, is_new = PinnedQuestion.objects.get_or_create(question=draft.key, language=draft.language, defaults=lists)
    else:
        lists |= {"triggers": list(draft.triggers)}
        _, is_new = MemoryNote.objects.get_or_create(
            title=draft.key, language=draft.language, defaults={**lists, "body": draft.body}
        )
    return is_new


def holds_instead(*, fact: Fact, by: Fact) -> Fact:
    """Return the fact that holds once `by` supersedes `fact`: the end of its chain. Raises CannotSupersede."""
    last = by.superseded_by or by  # chains are kept flat
    if fact.pk == last.pk:
        message = "A fact cannot supersede itself."
        if by.pk != last.pk:
            message = f"“{by}” is itself superseded by “{fact}”: let it count again first."
        raise CannotSupersede(message)
    return last


@transaction.atomic
def fact_supersede(*, fact: Fact, by: Fact, on: date | None = None) -> None:
    """Let `by` hold instead of `fact`, which ends on a day: the one it already has, else the one on which
    `by` begins, where that day has come, else today. Nothing is deleted.

    What `fact` had superseded is superseded by the same, so that every chain has one link; what was open between the
    two is resolved. Raises CannotSupersede.
    """
    locked = {row.pk: row for row in Fact.objects.select_for_update().filter(pk__in=[fact.pk, by.pk]).order_by("pk")}
    last, now = holds_instead(fact=fact, by=locked[by.pk]), timezone.now()
    today = timezone.localdate()
    begins = by.valid_from if by.valid_from and (fact.valid_from or by.valid_from) <= by.valid_from <= today else None
    until = on or fact.valid_to or begins or max(today, fact.valid_from or today)
    if fact.valid_from and until < fact.valid_from:
        raise CannotSupersede(f"“{fact}” holds from {fact.valid_from} on and cannot end on {until}, before that.")
    fact.superseded_by, fact.valid_to = last, until
    fact.save(update_fields=["superseded_by", "valid_to", "updated_at"])
    fact.supersedes.update(superseded_by=last, updated_at=now)
    for rival in {by.pk, last.pk}:
        between = Contradiction.objects.filter(Q(one=fact, other=rival) | Q(one=rival, other=fact), resolved_at=None)
        between.update(resolved_at=now, updated_at=now)


@transaction.atomic
def contradiction_resolve(*, contradiction: Contradiction, authoritative: Fact | None) -> bool:
    """Settle an open contradiction: the other side is superseded, or with None both stand. False where it was settled.

    authoritative: one of its two sides. Raises CannotSupersede.
    """
    now = timezone.now()
    still_open = Contradiction.objects.filter(pk=contradiction.pk, resolved_at=None)
    if not still_open.update(resolved_at=now, updated_at=now):
        return False
    if authoritative:
        one, other = contradiction.one, contradiction.other
        fact_supersede(fact=other if authoritative == one else one, by=authoritative)
    return True
