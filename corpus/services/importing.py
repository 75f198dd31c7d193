"""The loop that lectures and works share: read, refuse or store, one transaction a source, count."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Protocol, TypeVar

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from corpus.importers.discovery import Found, find_files
from corpus.importers.drafts import Refused, digest
from corpus.models import Collection

from .report import ImportReport, Outcome, Progress

RULES = 2  # raise when cleaning or chunking changes, so that a re-import applies the change to unchanged files


class Draft(Protocol):
    """What both kinds of draft offer."""

    @property
    def file(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def size(self) -> int: ...
    def content(self) -> tuple[object, ...]: ...
    def check(self) -> None: ...


D = TypeVar("D", bound=Draft)


def drafts_or_refusals(
    paths: Iterable[Path], read: Callable[[Found], Iterator[D]], progress: Progress
) -> Iterator[D | Outcome]:
    """Yield what the files under the paths hold, checked; one that cannot be read is an Outcome and stops no other."""
    files = list(_files(paths))
    progress.grow(len(files))
    first: dict[str, str] = {}
    for file in files:
        drafts = [file] if isinstance(file, Outcome) else _read(file, read)
        progress.grow(sum(map(_size, drafts)) - 1)
        for draft in drafts:
            yield draft if isinstance(draft, Outcome) else _checked(draft, first)


def import_all(
    drafts: Iterable[D | Outcome],
    *,
    collection: Collection,
    known: Mapping[str, str],
    hash_of: Callable[[D], str],
    store: Callable[[D, str], Outcome],
    progress: Progress,
) -> ImportReport:
    """Store each draft whose hash differs from the `known` one of its key, and report.

    `store` is given the draft and its hash, inside a transaction of its own, and advances the progress.
    """
    outcomes = []
    for draft in drafts:
        outcome = draft if isinstance(draft, Outcome) else _imported(draft, known, collection, hash_of, store)
        outcomes.append(outcome)
        if outcome.state in ("unchanged", "refused"):
            progress.advance(_size(draft))
    report = ImportReport(tuple(outcomes))
    if report.changed_anything:
        _analyze()
    return report


def source_hash(draft: Draft, *more: object) -> str:
    """Return what changes when the source, the rules or the embedder that counts its tokens does."""
    return digest(RULES, settings.EMBEDDER, draft.content(), *more)


def _files(paths: Iterable[Path]) -> Iterator[Found | Outcome]:
    for path in paths:
        try:
            yield from find_files(path)
        except Refused as refusal:
            yield Outcome(str(path), "refused", problem=str(refusal))


def _read(found: Found, read: Callable[[Found], Iterator[D]]) -> list[D | Outcome]:
    try:
        return list(read(found))
    except Refused as refusal:
        return [Outcome(str(found.path), "refused", problem=str(refusal))]


def _size(draft: Draft | Outcome) -> int:
    return 1 if isinstance(draft, Outcome) else draft.size


def _checked(draft: D, first: dict[str, str]) -> D | Outcome:
    try:
        draft.check()
    except Refused as refusal:
        return Outcome(draft.file, "refused", problem=str(refusal))
    if draft.key in first:
        return Outcome(draft.file, "refused", problem=f"has the key {draft.key!r} of {first[draft.key]}; rename one")
    first[draft.key] = draft.file
    return draft


def _imported(
    draft: D,
    known: Mapping[str, str],
    collection: Collection,
    hash_of: Callable[[D], str],
    store: Callable[[D, str], Outcome],
) -> Outcome:
    try:
        fresh_hash = hash_of(draft)
        if known.get(draft.key) == fresh_hash:
            return Outcome(draft.file, "unchanged")
        with transaction.atomic():
            # The row this writes is also the lock by which imports into one collection take turns.
            Collection.objects.filter(pk=collection.pk).update(changed_at=timezone.now())
            return store(draft, fresh_hash)
    except Refused as refusal:
        return Outcome(draft.file, "refused", problem=str(refusal))


def _analyze() -> None:
    """Tell the planner what is there now; without it full text may scan the whole table."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE corpus_chunk, corpus_section")
