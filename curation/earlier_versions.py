"""Brings an earlier version of a pin or note back from its history."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext, gettext_noop

from corpus.domain.text.folding import fold
from corpus.models import Collection
from curation.domain.entry_rules import objection_to_phrasings, objection_to_triggers
from curation.entries import (
    CurationRefused,
    Editor,
    EntryLists,
    dead_references,
    entry_store,
    objection_to_dead,
    references_of,
    scope_of,
)
from curation.history import entry_values, version_values
from curation.models import Curated, MemoryNote, PinnedQuestion
from curation.services import LIMITS, locked_entry
from lectorium.texts.local_text import local_text

COLUMNS = {PinnedQuestion: ("question", "framing", "collection_id", "language"),
           MemoryNote: ("title", "body", "triggers", "language")}  # fmt: skip
SAME = gettext_noop("It holds these values now, so there is nothing to bring back.")
GONE = gettext_noop("This version is not in the history. Open the history again.")
NO_COLLECTION = gettext_noop(
    "Its collection was deleted, or you may not read it. Copy its texts into the form instead."
)


@transaction.atomic
def entry_restore(*, entry: Curated, version_id: UUID, by: Editor) -> Curated:
    """Store the texts, wordings and references of an earlier version as an edit. Raises CurationRefused.

    What readers do not see becomes a draft. What is published stays so, and only a reviewer may change it.
    """
    locked = locked_entry(entry, by)
    version = locked.history.filter(history_id=version_id).first()  # type: ignore[attr-defined]
    if version is None:
        raise CurationRefused(gettext(GONE))
    if not _differs(locked, version):
        raise CurationRefused(gettext(SAME))
    _check(locked, version, by)
    for column in COLUMNS[type(locked)]:
        setattr(locked, column, getattr(version, column))
    if locked.state != Curated.State.PUBLISHED:
        locked.state = Curated.State.DRAFT
    reason = f"Brought back from {version.history_date:%-d %B %Y, %H:%M}"
    entry_store(locked, EntryLists(version.references, version.phrasings), by=by, reason=reason)
    return locked


def _differs(locked: Curated, version: Any) -> bool:
    now, then = dict(entry_values(locked)), dict(version_values(version))
    return any(now.get(name, "") != value for name, value in then.items() if name != "State")


def _check(locked: Curated, version: Any, by: Editor) -> None:
    """What the form checks. A reference that the entry has anyway may be one that the editor may not read."""
    if isinstance(locked, PinnedQuestion):
        _refuse(objection_to_phrasings(version.question, version.phrasings, fold, LIMITS))
        readable = Collection.objects.all() if by is None else Collection.objects.visible_to(by)
        if version.collection_id and not readable.filter(pk=version.collection_id).exists():
            raise CurationRefused(gettext(NO_COLLECTION))
    else:
        _refuse(objection_to_triggers(version.triggers, fold, LIMITS))
    stored = references_of(locked)
    added = [address for address in version.references if address not in stored]
    dead = {*dead_references(version.references), *dead_references(added, scope_of(by))}
    if dead:
        _refuse(objection_to_dead([address for address in version.references if address in dead]))


def _refuse(objection: str) -> None:
    if objection:
        raise CurationRefused(gettext("This version cannot be brought back.") + f" {local_text(objection)}")
