from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from corpus.importers.drafts import NoteDraft, PinDraft
from curation.models import Contradiction, Fact, MemoryNote, PinnedQuestion


class CannotSupersede(ValueError):
    """The message says why one fact cannot supersede the other."""


def store_imported(draft: PinDraft | NoteDraft) -> bool:
    """Store an imported pin or note as a draft for review; return whether it is new. Existing entries stay."""
    lists = {"references": list(draft.references)}
    if isinstance(draft, PinDraft):
        _, is_new = PinnedQuestion.objects.get_or_create(question=draft.key, language=draft.language, defaults=lists)
    else:
        lists |= {"triggers": list(draft.triggers)}
        _, is_new = MemoryNote.objects.get_or_create(
            title=draft.key, language=draft.language, defaults={**lists, "body": draft.body}
        )
    return is_new


def superseding_fact(*, fact: Fact, by: Fact) -> Fact:
    """The fact that holds once `by` supersedes `fact`: the end of its chain. Raises CannotSupersede."""
    last = by.superseded_by or by  # chains are kept one link long
    if fact.pk == last.pk:
        message = "A fact cannot supersede itself."
        if by.pk != last.pk:
            message = f"“{by}” is itself superseded by “{fact}”: undo that first."
        raise CannotSupersede(message)
    return last


@transaction.atomic
def fact_supersede(*, fact: Fact, by: Fact) -> None:
    """Supersede `fact` by `by`, and end it on its own last day, on the first day of `by` if past, or today.

    Facts superseded by `fact` move to the new one, so that chains stay one link long. Open contradictions between the
    two are resolved. Raises CannotSupersede.
    """
    locked = {row.pk: row for row in Fact.objects.select_for_update().filter(pk__in=[fact.pk, by.pk]).order_by("pk")}
    last, now = superseding_fact(fact=fact, by=locked[by.pk]), timezone.now()
    today = timezone.localdate()
    begins = by.valid_from if by.valid_from and (fact.valid_from or by.valid_from) <= by.valid_from <= today else None
    until = fact.valid_to or begins or max(today, fact.valid_from or today)
    fact.superseded_by, fact.valid_to = last, until
    fact.save(update_fields=["superseded_by", "valid_to", "updated_at"])
    fact.supersedes.update(superseded_by=last, updated_at=now)
    for rival in {by.pk, last.pk}:
        between = Contradiction.objects.filter(Q(one=fact, other=rival) | Q(one=rival, other=fact), resolved_at=None)
        between.update(resolved_at=now, updated_at=now)


@transaction.atomic
def contradiction_resolve(*, contradiction: Contradiction, authoritative: Fact | None) -> bool:
    """Settle an open contradiction; False if it was settled already. Raises CannotSupersede.

    authoritative: the side that supersedes the other, or None to keep both.
    """
    now = timezone.now()
    still_open = Contradiction.objects.filter(pk=contradiction.pk, resolved_at=None)
    if not still_open.update(resolved_at=now, updated_at=now):
        return False
    if authoritative:
        one, other = contradiction.one, contradiction.other
        fact_supersede(fact=other if authoritative == one else one, by=authoritative)
    return True
