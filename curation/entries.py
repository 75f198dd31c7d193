"""Stores a pin or note with its lists, as one change and one version in the history."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import transaction
from django.utils.translation import gettext
from django_q.tasks import async_task
from simple_history.signals import pre_create_historical_record

from corpus.domain.addresses.address import address_key
from corpus.domain.scope import Scope
from corpus.models import Chunk, Collection
from corpus.selectors import ANYWHERE
from curation.domain.states import needs_reviewer
from curation.models import Curated, MemoryNote, NoteReference, PinnedQuestion, PinPhrasing, PinReference
from curation.translations.tasks import translate_soon

Editor = AbstractBaseUser | AnonymousUser | None  # None: the product itself, such as an import
PUBLISH = "curation.publish_entries"


class CurationRefused(ValueError):
    """The message tells the editor what is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class EntryLists:
    """The ordered lists of an entry. None: as they are."""

    references: Sequence[str] | None = None
    phrasings: Sequence[str] | None = None


def may_publish(by: Editor) -> bool:
    return bool(by and by.has_perm(PUBLISH))  # type: ignore[union-attr]


def check_permission(action: str, model: type[Curated], by: Editor) -> None:
    """Raises CurationRefused. by: None is the product itself, which may draft and change, but not publish."""
    name = model._meta.model_name
    if by is not None and not by.has_perm(f"curation.{action}_{name}"):  # type: ignore[union-attr]
        raise CurationRefused(gettext("You may not do this. Ask for the group “editor”."))


def check_reviewer(before: str, after: str, by: Editor) -> None:
    """Raises CurationRefused where a change of state needs a reviewer."""
    if needs_reviewer(before, after) and not may_publish(by):
        raise CurationRefused(
            gettext("Only reviewers change what readers see. Submit it for review, or ask a reviewer.")
        )


def scope_of(by: Editor) -> Scope:
    """What an editor may refer to: the collections they may read."""
    if by is None:
        return ANYWHERE
    return Scope(Collection.objects.keys_visible_to(by))


def dead_references(addresses: Iterable[str], scope: Scope = ANYWHERE) -> list[str]:
    """The addresses without a passage in the scope. One query."""
    keys = {address: address_key(address) for address in addresses}
    found: set[str] = set()
    if keys:
        chunks = Chunk.objects.within(scope, duplicates=True).at_address(list(keys.values()))
        found.update(*chunks.values_list("address_keys", flat=True))
    return [address for address, key in keys.items() if key not in found]


def objection_to_dead(addresses: Sequence[str]) -> str:
    named = ", ".join(f"“{address}”" for address in addresses)
    text = gettext("There is no passage at {named}. Write an address as its page does, e.g. BG 2.13 or first-steps:4.")
    return text.format(named=named)


def references_of(entry: Curated) -> list[str]:
    """The addresses of an entry in their order. Uses prefetched rows."""
    return [reference.address for reference in entry.references.all()]  # type: ignore[attr-defined]


def phrasings_of(entry: Curated) -> list[str]:
    """The wordings of a pin beside its question, in their order; of a note none. Uses prefetched rows."""
    return [phrasing.text for phrasing in entry.phrasings.all()] if isinstance(entry, PinnedQuestion) else []


@transaction.atomic
def entry_store(entry: Curated, lists: EntryLists, *, by: Editor, reason: str, queue: bool = True) -> None:
    """Write the row and its lists. The history gets one version with all values, who and why.

    queue: whether to queue what follows; otherwise the caller queues it once for many entries (`queue_jobs`).
    """
    if entry._state.adding:  # its lists need the row; the version is made when they are there
        entry.skip_history_when_saving = True  # type: ignore[attr-defined]
        entry.save()
        del entry.skip_history_when_saving  # type: ignore[attr-defined]
    if lists.references is not None:
        _write_references(entry, lists.references)
    if lists.phrasings is not None and isinstance(entry, PinnedQuestion):
        entry.phrasings.all().delete()
        rows = [PinPhrasing(pin=entry, position=n, text=text) for n, text in enumerate(lists.phrasings)]
        PinPhrasing.objects.bulk_create(rows)
    entry._prefetched_objects_cache = {}  # type: ignore[attr-defined]
    entry._history_user, entry._change_reason = by, reason  # type: ignore[attr-defined]
    entry.save()
    if queue:
        transaction.on_commit(_queue_indexing)
        if entry.state == Curated.State.PUBLISHED:
            transaction.on_commit(translate_soon)


def queue_jobs() -> None:
    """Queue the indexing and the translation of changed entries."""
    _queue_indexing()
    translate_soon()


def _queue_indexing() -> None:
    async_task("curation.tasks.index_entries")


def _write_references(entry: Curated, addresses: Sequence[str]) -> None:
    """Replace the references by these, each place once."""
    once = list({address_key(address): address.strip() for address in reversed(addresses)}.items())[::-1]
    places = [{"position": n, "address": address, "address_key": key} for n, (key, address) in enumerate(once)]
    if isinstance(entry, PinnedQuestion):
        entry.references.all().delete()
        PinReference.objects.bulk_create(PinReference(pin=entry, **place) for place in places)
    elif isinstance(entry, MemoryNote):
        entry.references.all().delete()
        NoteReference.objects.bulk_create(NoteReference(note=entry, **place) for place in places)


def _complete_version(sender: Any, instance: Any, history_instance: Any, **more: Any) -> None:
    """Add the lists to a version of an entry."""
    if isinstance(instance, Curated) and instance.pk and history_instance.history_type != "-":
        history_instance.references = references_of(instance)
        history_instance.phrasings = phrasings_of(instance)
        if history_instance.history_type == "~" and not sender.objects.filter(id=instance.pk).exists():
            history_instance.history_type = "+"


def connect_history() -> None:
    pre_create_historical_record.connect(_complete_version, dispatch_uid="curation.entries")
