"""The history of an entry: who changed what, when, from which value to which."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any
from uuid import UUID

from corpus.models import Collection
from curation.domain.versions import FieldChange, Values, changes_between
from curation.entries import phrasings_of, references_of
from curation.models import Curated
from lectorium.texts.local_text import local_text

MOST = 200  # versions shown
FIELDS = {
    "question": "Question", "title": "Title", "body": "Text", "phrasings": "Other wordings", "triggers": "Triggers",
    "references": "References", "framing": "Framing", "language": "Language", "collection_id": "Collection",
    "state": "State",
}  # fmt: skip
LISTS = ("references", "phrasings")


@dataclass(frozen=True, slots=True)
class VersionChange:
    """One version and how it differs from the one before. is_latest: it is what is stored now."""

    key: UUID
    is_latest: bool
    at: datetime
    by: str
    reason: str
    changes: tuple[FieldChange, ...]


def version_changes(entry: Curated) -> Iterator[VersionChange]:
    """The versions of an entry, newest first."""
    versions = list(_versions(entry).select_related("history_user")[: MOST + 1])
    for version, earlier in [*pairwise((*versions, None))][:MOST]:
        changes = changes_between(version_values(earlier) if earlier else {}, version_values(version))
        by = str(version.history_user or "–")
        reason, is_latest = version.history_change_reason or "", version is versions[0]
        yield VersionChange(version.history_id, is_latest, version.history_date, by, reason, changes)


def version_of(entry: Curated, updated_at: datetime) -> Any:
    """The version that was stored at this time; None if it is not in the history."""
    return _versions(entry).filter(updated_at=updated_at).first()


def latest_version(entry: Curated) -> Any:
    return _versions(entry).select_related("history_user").first()


def version_values(version: Any) -> Values:
    """The fields of a version as they are shown."""
    return shown_values({name: getattr(version, name) for name in FIELDS if hasattr(version, name)})


def entry_values(entry: Curated) -> Values:
    """The fields of a stored entry as they are shown."""
    columns = {name: getattr(entry, name) for name in FIELDS if name not in LISTS and hasattr(entry, name)}
    return shown_values(columns | {"references": references_of(entry), "phrasings": phrasings_of(entry)})


def shown_values(values: Mapping[str, Any]) -> Values:
    return {said: _shown(name, values[name]) for name, said in FIELDS.items() if name in values}


def _shown(name: str, value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "\n".join(map(str, value))
    if name == "collection_id" and value:
        return Collection.objects.filter(pk=value).values_list("title", flat=True).first() or str(value)
    return local_text(Curated.State(value).label) if name == "state" else str(value or "")


def _versions(entry: Curated) -> Any:
    return entry.history.all()  # type: ignore[attr-defined]
