"""What editors may do: draft, change, submit, publish and withdraw entries, and settle facts.

Every function checks the rules and raises a refusal whose message is for the editor.
"""

from collections.abc import Sequence
from typing import TypeVar

from django.db import transaction
from django.db.models import Q, Value
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone
from django.utils.translation import gettext

from corpus.domain.text.folding import fold
from corpus.models import Collection
from curation.domain import states
from curation.domain.entry_rules import (
    EntryLimits,
    objection_to_phrasings,
    objection_to_references,
    objection_to_triggers,
)
from curation.domain.states import StateStep
from curation.entries import (
    CurationRefused,
    Editor,
    EntryLists,
    check_permission,
    check_reviewer,
    dead_references,
    entry_store,
    objection_to_dead,
    phrasings_of,
    references_of,
    scope_of,
)
from curation.gaps.asking_again import pin_ask_again
from curation.models import Contradiction, Curated, Fact, MemoryNote, PinnedQuestion
from lectorium.texts.local_text import local_text

LIMITS = EntryLimits()
EntryT = TypeVar("EntryT", bound=Curated)


class CannotSupersede(ValueError):
    """The message says why one fact cannot supersede the other."""


def pin_draft(
    *,
    question: str,
    references: Sequence[str],
    phrasings: Sequence[str] = (),
    framing: str = "",
    language: str = "en",
    collection: Collection | None = None,
    by: Editor,
) -> PinnedQuestion:
    """A new pin, not yet seen by readers. Raises CurationRefused."""
    check_permission("add", PinnedQuestion, by)
    pin = PinnedQuestion(question=question.strip(), framing=framing.strip(), language=language, collection=collection)
    _refuse(objection_to_phrasings(pin.question, phrasings, fold, LIMITS))
    _check_references(references, by)
    same = PinnedQuestion.objects.filter(question__iexact=pin.question, language=language, collection=collection)
    if same.exclude(state=Curated.State.WITHDRAWN).exists():
        raise CurationRefused(
            gettext("There is a pin for “{question}” already. Change that one.").format(question=pin.question)
        )
    entry_store(pin, EntryLists(references, [text.strip() for text in phrasings]), by=by, reason="Drafted")
    return pin


def note_draft(
    *, title: str, body: str, triggers: Sequence[str], references: Sequence[str] = (), language: str = "en", by: Editor
) -> MemoryNote:
    """A new note, not yet used in answers. Raises CurationRefused."""
    check_permission("add", MemoryNote, by)
    if not title.strip() or not body.strip():
        raise CurationRefused(gettext("A note needs a title and a text."))
    _refuse(objection_to_triggers(triggers, fold, LIMITS))
    _check_references(references, by)
    same = MemoryNote.objects.filter(title__iexact=title.strip(), language=language)
    if same.exclude(state=Curated.State.WITHDRAWN).exists():
        raise CurationRefused(
            gettext("There is a note called “{title}” already. Change that one.").format(title=title.strip())
        )
    note = MemoryNote(title=title.strip(), body=body.strip(), language=language)
    note.triggers = [text.strip() for text in triggers]
    entry_store(note, EntryLists(references), by=by, reason="Drafted")
    return note


@transaction.atomic
def phrasing_add(*, pin: PinnedQuestion, text: str, by: Editor) -> None:
    """Add another wording at the end. Raises CurationRefused."""
    locked = locked_entry(pin, by)
    phrasings = [*phrasings_of(locked), text.strip()]
    _refuse(objection_to_phrasings(locked.question, phrasings, fold, LIMITS))
    entry_store(locked, EntryLists(phrasings=phrasings), by=by, reason="Phrasing added")


@transaction.atomic
def trigger_add(*, note: MemoryNote, text: str, by: Editor) -> None:
    """Add a trigger at the end. Raises CurationRefused."""
    locked = locked_entry(note, by)
    locked.triggers = [*locked.triggers, text.strip()]
    _refuse(objection_to_triggers(locked.triggers, fold, LIMITS))
    entry_store(locked, EntryLists(), by=by, reason="Trigger added")
    note.triggers = locked.triggers


def entry_submit(*, entry: Curated, by: Editor) -> None:
    """Ask reviewers to publish a draft. Raises CurationRefused."""
    _take_step(states.SUBMIT, entry, by)


def entry_publish(*, entry: Curated, by: Editor) -> None:
    """Show an entry to readers. Raises CurationRefused, also where a reference does not resolve.

    The questions of the knowledge gaps that a pin is for are asked again.
    """
    _take_step(states.PUBLISH, entry, by)
    if isinstance(entry, PinnedQuestion):
        pin_ask_again(pin=entry)


def entry_withdraw(*, entry: Curated, by: Editor) -> None:
    """Hide an entry from readers. Raises CurationRefused."""
    _take_step(states.WITHDRAW, entry, by)


@transaction.atomic
def entry_undo(*, entry: Curated, by: Editor) -> None:
    """Take back the last change of state; its values stay. Raises CurationRefused."""
    locked = locked_entry(entry, by)
    earlier = tuple(locked.history.values_list("state", flat=True))  # type: ignore[attr-defined]
    before = states.state_before((locked.state, *earlier))
    if not before:
        raise CurationRefused(gettext("Its state never changed, so there is nothing to undo."))
    _change_state(locked, before, by, f"Undone: {states.NAMES[before]} again")
    entry.state = before


@transaction.atomic
def _take_step(step: StateStep, entry: Curated, by: Editor) -> None:
    locked = locked_entry(entry, by, step.end)
    _refuse(states.objection(step, locked.state))
    _change_state(locked, step.end, by, step.done)
    entry.state = locked.state


def _change_state(locked: Curated, state: str, by: Editor, reason: str) -> None:
    check_reviewer(locked.state, state, by)
    if state == Curated.State.PUBLISHED:
        if isinstance(locked, PinnedQuestion) and not references_of(locked):
            raise CurationRefused(
                gettext("A pin without a reference answers nothing. Add the passages that answer it.")
            )
        if dead := dead_references(references_of(locked)):
            raise CurationRefused(objection_to_dead(dead))
    locked.state = state
    entry_store(locked, EntryLists(), by=by, reason=reason)


def locked_entry(entry: EntryT, by: Editor, state: str = "") -> EntryT:
    """The stored entry, locked until the transaction ends, if this editor may change it."""
    check_permission("change", type(entry), by)
    locked: EntryT | None = type(entry)._default_manager.select_for_update(of=("self",)).filter(pk=entry.pk).first()
    if not locked:
        raise CurationRefused(gettext("“{entry}” was deleted meanwhile.").format(entry=entry))
    check_reviewer(locked.state, state, by)
    return locked


def _check_references(references: Sequence[str], by: Editor) -> None:
    _refuse(objection_to_references(references, fold, LIMITS))
    if dead := dead_references(references, scope_of(by)):
        raise CurationRefused(objection_to_dead(dead))


def _refuse(objection: str) -> None:
    if objection:
        raise CurationRefused(local_text(objection))


def superseding_fact(*, fact: Fact, by: Fact) -> Fact:
    """The fact that holds once `by` supersedes `fact`: the end of its chain. Raises CannotSupersede.

    `fact_supersede` keeps chains one link long; longer ones, written otherwise, are followed too.
    """
    last, met = by, {by.pk}
    while last.pk != fact.pk and last.superseded_by and last.superseded_by_id not in met:
        last = last.superseded_by
        met.add(last.pk)
    if fact.pk == last.pk:
        message = gettext("A fact cannot supersede itself.")
        if by.pk != last.pk:
            message = gettext("“{by}” is itself superseded by “{fact}”: undo that first.").format(by=by, fact=fact)
        raise CannotSupersede(message)
    return last


@transaction.atomic
def fact_supersede(*, fact: Fact, by: Fact) -> None:
    """Supersede `fact` by `by`, and end it on its own last day, on the first day of `by` if past, or today.

    Facts superseded by `fact`, also those that say the same, move to the new one and end with it, so that chains stay
    one link long. Open contradictions between the two are resolved. Raises CannotSupersede.
    """
    locked = {row.pk: row for row in Fact.objects.select_for_update().filter(pk__in=[fact.pk, by.pk]).order_by("pk")}
    last, now = superseding_fact(fact=fact, by=locked[by.pk]), timezone.now()
    today = timezone.localdate()
    begins = by.valid_from if by.valid_from and (fact.valid_from or by.valid_from) <= by.valid_from <= today else None
    until = fact.valid_to or begins or max(today, fact.valid_from or today)
    fact.superseded_by, fact.superseded_because, fact.valid_to = last, Fact.Because.REPLACED, until
    fact.save(update_fields=["superseded_by", "superseded_because", "valid_to", "updated_at"])
    fact.supersedes.update(
        superseded_by=last, superseded_because=Fact.Because.REPLACED, updated_at=now,
        valid_to=Coalesce("valid_to", Greatest("valid_from", Value(until))),
    )  # fmt: skip
    for rival in {by.pk, last.pk}:
        between = Contradiction.objects.filter(Q(one=fact, other=rival) | Q(one=rival, other=fact), resolved_at=None)
        between.update(resolved_at=now, updated_at=now)


@transaction.atomic
def contradiction_resolve(*, contradiction: Contradiction, decision: str, by: Editor = None) -> bool:
    """Settle an open contradiction; False if it was settled already. Raises CannotSupersede.

    The authoritative side supersedes the other; in context, both stay in force.
    """
    now, choices = timezone.now(), Contradiction.Decision
    still_open = Contradiction.objects.filter(pk=contradiction.pk, resolved_at=None)
    settled = {"decision": choices(decision), "resolved_at": now, "resolved_by": by, "updated_at": now}
    if not still_open.update(**settled):
        return False
    one, other = contradiction.one, contradiction.other
    if decision == choices.FIRST:
        fact_supersede(fact=other, by=one)
    elif decision == choices.SECOND:
        fact_supersede(fact=one, by=other)
    return True
