"""Imports files: read each source, store or refuse it in its own transaction, and report."""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.db import connection, transaction

from corpus.curated_port import EntryDraft, EntryReceipt, finish_hand_over, hand_over
from corpus.importers.discovery import UnopenedFile, find_files, named, read
from corpus.importers.drafts import FactDraft, LectureDraft, NoteDraft, PinDraft, WorkDraft, digest
from corpus.importers.protocol import Draft, SourceFile
from corpus.importers.refusal import ImportRefused
from corpus.indexing.duplicate_preview import DuplicatePreview
from corpus.models import Collection, Lecture, Work

from .collections import collection_lock
from .lectures import lecture_store
from .previews import with_preview
from .recordings import recording_digest
from .report import OUTCOMES_KEPT, SILENT, ImportOutcome, ImportProgress, ImportReport
from .source_groups import SourceDraft, group_store, groups_of
from .works import work_store

logger = logging.getLogger(__name__)

RULES = 3  # increase when cleaning or chunking changes, so that a re-import updates unchanged files
_WRONG_KIND = {
    LectureDraft: "is a lecture, not verses; import it with import_lectures",
    WorkDraft: "contains verses; import it with import_works",
}
_KINDS = {LectureDraft: "lecture", WorkDraft: "work"}
Kind = type[LectureDraft] | type[WorkDraft]


def sources_import(
    *,
    paths: Sequence[Path],
    collection: Collection,
    only: Kind | None = None,
    keep: bool = True,
    keep_states: bool = False,
    progress: ImportProgress = SILENT,
    outcomes_kept: int | None = OUTCOMES_KEPT,
) -> ImportReport:
    """Import the sources in these files and folders; `only` restricts their kind.

    keep_states: whether pins and notes keep the state of their export; otherwise they are drafts.
    outcomes_kept: of how many sources the report says more than numbers, where there is nothing to say; None: of all.

    Without `keep`, every transaction is rolled back and near-duplicates are reported: a preview.
    """
    known = _known(collection)
    preview = None if keep else DuplicatePreview()
    store = partial(hand_over, keep_state=keep_states)
    import_alone = partial(
        _imported, collection=collection, known=known, preview=preview, progress=progress, store=store
    )

    def outcomes() -> Iterator[ImportOutcome]:
        for group in groups_of(_drafts(paths, Path(workspace), only, progress), known):
            together = _imported_together(group, collection, preview, progress)
            yield from together or (_outcome(draft, import_alone, progress) for draft in group)

    with TemporaryDirectory(prefix="lectorium-") as workspace:
        report = ImportReport.of(outcomes(), outcomes_kept)
    if keep and report.changed_anything:
        _analyze()
        if any(outcome.state == "imported" and not outcome.kind for outcome in report.outcomes):
            finish_hand_over()
    return report


def source_hash(draft: SourceDraft, *more: object) -> str:
    """A hash over the source, the import rules and the embedder, whose tokenizer determines the chunks."""
    return digest(RULES, settings.EMBEDDER, draft.content(), *more)


def _known(collection: Collection) -> dict[tuple[type, str], str]:
    """The stored hash of every source in the collection."""
    models = ((LectureDraft, Lecture), (WorkDraft, Work))
    return {
        (kind, key): stored
        for kind, model in models
        for key, stored in model.objects.filter(collection=collection).values_list("key", "source_hash")
    }


def _drafts(
    paths: Sequence[Path], workspace: Path, only: Kind | None, progress: ImportProgress
) -> Iterator[Draft | ImportOutcome]:
    """Checked drafts, or an ImportOutcome for each unreadable file."""
    files = [file for path in named(paths) for file in _files(path, workspace)]
    progress.grow(len(files))
    first: dict[tuple[type, str], str] = {}
    for file in files:
        name = file.source if isinstance(file, ImportOutcome) else file.name
        progress.grow(-1)
        for draft in [file] if isinstance(file, ImportOutcome) else _read(file, only):
            progress.grow(1 if isinstance(draft, ImportOutcome) else draft.size)
            yield draft if isinstance(draft, ImportOutcome) else _checked(draft, name, first)


def _files(path: Path, workspace: Path) -> Iterator[SourceFile | ImportOutcome]:
    try:
        for file in find_files(path, workspace):
            yield _refused(file.file, file) if isinstance(file, UnopenedFile) else file
    except ImportRefused as refusal:
        yield _refused(str(path), refusal)


def _read(file: SourceFile, only: Kind | None) -> Iterator[Draft | ImportOutcome]:
    """The drafts in a file, one at a time, so that a file of a million passages needs no more memory."""
    try:
        for draft in read(file):
            other = only and isinstance(draft, LectureDraft | WorkDraft) and not isinstance(draft, only)
            yield _refused(draft.file, _WRONG_KIND[type(draft)]) if other else draft
    except ImportRefused as refusal:
        yield _refused(file.name, refusal)
    except Exception as error:  # one file must not stop the others
        logger.exception("importing %s failed", file.name)
        yield _refused(file.name, f"made the importer fail ({type(error).__name__}); see the log")


def _checked(draft: Draft, file: str, first: dict[tuple[type, str], str]) -> Draft | ImportOutcome:
    try:
        draft.check()
    except ImportRefused as refusal:
        return _refused(draft.file, refusal)
    named = (type(draft), getattr(draft, "id", "") or draft.key)
    if named in first:
        return _refused(draft.file, f"has the key {draft.key!r} of {first[named]}; rename one")
    first[named] = file  # not the draft's own name, which would be kept for each of a million passages
    return draft


def _imported_together(
    group: Sequence[Draft | ImportOutcome],
    collection: Collection,
    preview: DuplicatePreview | None,
    progress: ImportProgress,
) -> list[ImportOutcome]:
    """The outcomes of a group of small new sources; none where each has to be stored alone."""
    drafts = [draft for draft in group if isinstance(draft, LectureDraft | WorkDraft)]
    if len(group) == 1 or len(drafts) < len(group):
        return []
    hashed = [(draft, source_hash(draft, recording_digest(None))) for draft in drafts]
    size = sum(draft.size for draft in drafts)
    try:
        with transaction.atomic():
            collection_lock(collection=collection)
            stored = group_store(drafts=hashed, collection=collection)
            outcomes = [outcome for _, outcome in stored]
            if preview:
                outcomes = with_preview(preview, [source for source, _ in stored], outcomes)
                transaction.set_rollback(True)
            else:
                progress.advance(size)  # before the commit: of an import that was discarded meanwhile nothing stays
    except ImportRefused:
        return []
    if preview:
        progress.advance(size)  # after the rollback, so that it shows
    return [_of(draft, outcome) for draft, outcome in zip(drafts, outcomes, strict=True)]


def _outcome(
    draft: Draft | ImportOutcome, import_alone: Callable[[Draft], ImportOutcome], progress: ImportProgress
) -> ImportOutcome:
    if isinstance(draft, ImportOutcome):
        progress.advance()
        return draft
    outcome = import_alone(draft)
    if outcome.state in ("unchanged", "refused"):
        progress.advance(draft.size)
    return outcome


def _imported(
    draft: Draft,
    *,
    collection: Collection,
    known: dict[tuple[type, str], str],
    preview: DuplicatePreview | None,
    progress: ImportProgress,
    store: Callable[[EntryDraft], EntryReceipt],
) -> ImportOutcome:
    keep = preview is None
    try:
        if isinstance(draft, PinDraft | NoteDraft | FactDraft):
            return _taken(lambda: _received(draft.file, store(draft)), keep)
        fresh_hash = source_hash(draft, recording_digest(draft.media))
        if known.get((type(draft), draft.key)) == fresh_hash:
            return ImportOutcome(draft.file, "unchanged", kind=_KINDS[type(draft)], key=draft.key)
        kept = (
            draft if keep or not draft.media else replace(draft, media=None)
        )  # a recording would survive the rollback
        return _of(draft, _taken(lambda: _stored(kept, collection, fresh_hash, preview, progress), keep))
    except ImportRefused as refusal:
        return _refused(draft.file, refusal)


def _received(file: str, receipt: EntryReceipt) -> ImportOutcome:
    return ImportOutcome(file, "imported" if receipt.is_new else "unchanged", remark=receipt.remark)


def _stored(
    draft: SourceDraft,
    collection: Collection,
    fresh_hash: str,
    preview: DuplicatePreview | None,
    progress: ImportProgress,
) -> ImportOutcome:
    collection_lock(collection=collection)
    if isinstance(draft, LectureDraft):
        outcome = lecture_store(draft=draft, collection=collection, source_hash=fresh_hash)
        progress.advance()
    else:
        outcome = work_store(draft=draft, collection=collection, source_hash=fresh_hash, progress=progress)
    if preview:
        model = Lecture if isinstance(draft, LectureDraft) else Work
        (outcome,) = with_preview(preview, [model.objects.get(collection=collection, key=draft.key)], [outcome])
    return outcome


def _of(draft: SourceDraft, outcome: ImportOutcome) -> ImportOutcome:
    return replace(outcome, kind=_KINDS[type(draft)], key=draft.key, title=draft.title, beginning=draft.beginning)


def _taken(store: Callable[[], ImportOutcome], keep: bool) -> ImportOutcome:
    """Store in one transaction, rolled back unless `keep`."""
    with transaction.atomic():
        outcome = store()
        if not keep:
            transaction.set_rollback(True)
        return outcome


def _refused(file: str, problem: ImportRefused | str) -> ImportOutcome:
    return ImportOutcome(file, "refused", problem=str(problem))


def _analyze() -> None:
    """Update the planner's statistics; otherwise full-text search may scan the table."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE corpus_chunk, corpus_section")
