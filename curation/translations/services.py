"""Writes translations. A row changes only while its source is the one that was read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from curation.domain.translation_checks import TranslationFault
from curation.translations.checking import faults_of
from curation.translations.models import Translation
from curation.translations.sources import PublishedText, existing_owners, needs_translation, published_texts
from lectorium.texts.local_text import local_text

State, Origin = Translation.State, Translation.Origin
BATCH = 1000
AUTHOR_CHARS = 200
CHANGED = gettext_lazy(
    "This translation or its source was changed while you worked on it. Your words are below and not saved: open the "
    "page anew in another tab and compare."
)


class TranslationRefused(ValueError):
    """The message says why a translation is not saved, and what to do."""


@dataclass(frozen=True, slots=True)
class SyncedTranslations:
    """What a comparison with the published texts changed."""

    added: int = 0
    changed: int = 0
    removed: int = 0


@transaction.atomic
def translations_sync(*, locales: Sequence[str]) -> SyncedTranslations:
    """Give every published text a row per locale, and mark the translations of texts that changed.

    Rows of withdrawn texts are kept for their return; rows of deleted ones go.
    """
    locked = Translation.objects.select_for_update().filter(locale__in=locales).order_by("pk")
    stored = {(row.owner, row.part, row.locale): row for row in locked}
    wanted: set[tuple[UUID, str, str]] = set()
    added, changed = [], []
    for source in published_texts():
        for locale in locales:
            if not needs_translation(source.language, locale):
                continue
            key = (source.owner, str(source.part), locale)
            wanted.add(key)
            row = stored.get(key)
            if row is None:
                added.append(_new(source, locale))
            elif row.source_hash != source.hash or row.language != source.language or not row.is_published:
                _take_source(row, source)
                changed.append(row)
    Translation.objects.bulk_create(added, batch_size=BATCH, ignore_conflicts=True)
    fields = ["source", "source_hash", "language", "state", "proposal", "problem", "is_published", "updated_at"]
    Translation.objects.bulk_update(changed, fields, batch_size=BATCH)
    return SyncedTranslations(len(added), len(changed), _leave_out(stored.keys() - wanted, stored))


def _new(source: PublishedText, locale: str) -> Translation:
    return Translation(
        part=source.part, owner=source.owner, locale=locale, language=source.language, source=source.text,
        source_hash=source.hash,
    )  # fmt: skip


def _take_source(row: Translation, source: PublishedText) -> None:
    if row.source_hash != source.hash:
        row.proposal, row.problem = "", ""
    row.source, row.source_hash, row.language = source.text, source.hash, source.language
    row.is_published, row.updated_at = True, timezone.now()
    if row.text:
        row.state = State(row.origin) if row.translated_source == row.source else State.STALE


def _leave_out(keys: set[tuple[UUID, str, str]], stored: dict[tuple[UUID, str, str], Translation]) -> int:
    """Put aside rows whose text is not published now and delete those whose owner is gone; return how many."""
    if not keys:
        return 0
    owners = existing_owners()
    gone = [stored[key].pk for key in keys if key[0] not in owners]
    kept = [stored[key].pk for key in keys if key[0] in owners]
    Translation.objects.filter(pk__in=kept, is_published=True).update(is_published=False, updated_at=timezone.now())
    return Translation.objects.filter(pk__in=gone).delete()[0]


def translation_store(*, row: Translation, text: str, author: str) -> bool:
    """Store a model's translation; False where the row changed meanwhile.

    A reviewed text is not replaced: the new one is proposed beside it.
    """
    changes: dict[str, Any] = {"problem": "", "author": author[:AUTHOR_CHARS], "updated_at": timezone.now()}
    if row.origin == Origin.REVIEWED:
        changes |= {"proposal": text}
    else:
        faults = faults_of(row, text)
        changes |= {
            "text": text, "translated_source": row.source, "origin": Origin.MACHINE, "state": State.MACHINE,
            "checks": as_rows(faults),
        }  # fmt: skip
    return bool(_unchanged(row).update(**changes))


def translation_fail(*, row: Translation, problem: str) -> bool:
    """Say why a model's answer is not used; the text is asked for again once it changes or an editor wants it."""
    return bool(_unchanged(row).update(problem=problem, updated_at=timezone.now()))


def review_check(row: Translation, text: str, *, despite: bool = False) -> tuple[TranslationFault, ...]:
    """What the checks find in a person's translation. Raises TranslationRefused for any of it, unless `despite`."""
    if not text.strip():
        raise TranslationRefused(gettext("The translation is empty. Write it, or leave the machine's as it is."))
    faults = faults_of(row, text)
    if faults and not despite:
        found = [local_text(fault.said) for fault in faults]
        how = gettext("Correct it, or confirm that it is right as it stands.")
        raise TranslationRefused(" ".join([*found, how]))
    return faults


def translation_review(*, row: Translation, text: str, by: Any, despite: bool = False) -> None:
    """Store a person's translation of the source as `row` has it.

    Raises TranslationRefused where a check objects, unless `despite`, and where another change came first.
    """
    text = text.replace("\r\n", "\n").strip()
    faults, now = review_check(row, text, despite=despite), timezone.now()
    stored = _unchanged(row).update(
        text=text, translated_source=row.source, origin=Origin.REVIEWED, state=State.REVIEWED, checks=as_rows(faults),
        proposal="", problem="", reviewed_by=by, reviewed_at=now, updated_at=now,
    )  # fmt: skip
    if not stored:
        raise TranslationRefused(CHANGED)


def translations_again(*, rows: QuerySet[Translation]) -> int:
    """Have these translated again; return how many. A reviewed text stays, and its stale ones get a new proposal."""
    now = timezone.now()
    unreviewed = rows.exclude(origin=Origin.REVIEWED).update(state=State.MISSING, problem="", updated_at=now)
    stale = rows.filter(origin=Origin.REVIEWED, state=State.STALE).update(proposal="", problem="", updated_at=now)
    return unreviewed + stale


def as_rows(faults: Sequence[TranslationFault]) -> list[list[str]]:
    return [[fault.check, fault.said] for fault in faults]


def _unchanged(row: Translation) -> QuerySet[Translation]:
    return Translation.objects.filter(pk=row.pk, source_hash=row.source_hash, updated_at=row.updated_at)
