"""The rules for entries that come from files, and how they are stored."""

from django.utils.translation import gettext

from corpus.domain.text.folding import fold
from corpus.models import Collection
from curation.domain.entry_rules import (
    objection_to_phrasings,
    objection_to_references,
    objection_to_triggers,
)
from curation.entries import (
    Editor,
    EntryLists,
    dead_references,
    entry_store,
    objection_to_dead,
    phrasings_of,
    references_of,
    scope_of,
)
from curation.models import Curated, MemoryNote, PinnedQuestion
from curation.services import LIMITS


def entry_check(entry: Curated, lists: EntryLists, by: Editor) -> str:
    """Why an entry with these lists cannot be stored; "" where it can. What a published one refers to must exist.

    by: who must be able to read its collection and what it refers to.
    """
    adding = entry._state.adding
    references = lists.references if lists.references is not None else [] if adding else references_of(entry)
    if wrong := objection_to_references(references, fold, LIMITS):
        return wrong
    if entry.state == Curated.State.PUBLISHED and (dead := dead_references(references, scope_of(by))):
        return objection_to_dead(dead)
    if isinstance(entry, PinnedQuestion):
        if by and entry.collection and not Collection.objects.visible_to(by).filter(pk=entry.collection.pk).exists():
            return gettext("You cannot read its collection. Choose one that you can, or leave it empty.")
        phrasings = lists.phrasings if lists.phrasings is not None else [] if adding else phrasings_of(entry)
        return objection_to_phrasings(entry.question, phrasings, fold, LIMITS)
    if isinstance(entry, MemoryNote):
        blank = not entry.title.strip() or not entry.body.strip()
        return (
            gettext("A note needs a title and a text.")
            if blank
            else objection_to_triggers(entry.triggers, fold, LIMITS)
        )
    return ""


def entry_take(entry: Curated, lists: EntryLists, by: Editor) -> None:
    """Store an entry from a table as one version in the history."""
    entry_store(entry, lists, by=by, reason="Imported from a table")
