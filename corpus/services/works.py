"""Importing works: every verse is a section and, where it fits, one chunk."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from corpus.domain.address import address_key
from corpus.domain.book_names import aliases_for
from corpus.domain.chunking import ChunkRules, split_text
from corpus.importers.discovery import read_works
from corpus.importers.drafts import VerseDraft, WorkDraft
from corpus.models import Chunk, Collection, Section, Work
from lectorium.providers import registry

from .importing import drafts_or_refusals, import_all, source_hash
from .report import ImportReport, OnOutcome, Outcome
from .storing import chunks_replace, sections_replace


def works_import(*, paths: Sequence[Path], collection: Collection, on_outcome: OnOutcome) -> ImportReport:
    """Import every work under the paths into the collection; `on_outcome` is called after each."""
    return import_all(
        drafts_or_refusals(paths, read_works),
        collection=collection,
        known=dict(Work.objects.filter(collection=collection).values_list("key", "source_hash")),
        hash_of=source_hash,
        store=lambda draft, fresh_hash: work_store(draft=draft, collection=collection, source_hash=fresh_hash),
        on_outcome=on_outcome,
    )


def work_store(*, draft: WorkDraft, collection: Collection, source_hash: str) -> Outcome:
    """Store the work, its sections and chunks; call it in a transaction. Ids stay where the content does."""
    work = Work.objects.filter(collection=collection, key=draft.key).first()
    state: Literal["imported", "changed"] = "changed" if work else "imported"
    work = work or Work(collection=collection, key=draft.key)
    work.title, work.language, work.source_hash = draft.title, draft.language, source_hash
    work.abbreviation, work.translator = draft.abbreviation, draft.translator
    work.books, work.aliases = draft.books, aliases_for(draft.books)
    work.save()
    sections_replace(work, [_section(work, ordinal, verse) for ordinal, verse in enumerate(draft.verses)])
    return Outcome(draft.file, state, chunks_replace(work, _chunks(work, draft.verses)))


def _section(work: Work, ordinal: int, verse: VerseDraft) -> Section:
    return Section(
        work=work,
        ordinal=ordinal,
        address=verse.address,
        address_key=address_key(verse.address),
        heading=f"{verse.book} {verse.chapter}",
        speaker=verse.speaker,
        text=verse.text,
        original=verse.original,
    )


def _chunks(work: Work, verses: Sequence[VerseDraft]) -> Iterator[Chunk]:
    embedder = registry.embedder()
    rules = ChunkRules(embedder.max_tokens)
    for verse in verses:
        for span in split_text(verse.text, embedder.token_spans, rules):
            text = verse.text[span.start : span.end]
            yield Chunk(
                collection_id=work.collection_id,
                work=work,
                kind=Chunk.Kind.VERSE,
                language=work.language,
                address=verse.address,
                address_keys=[address_key(verse.address)],
                heading=f"{work.title} · {verse.address}",
                text=text,
                paragraphs=[[0, len(text), verse.address]],
                tokens=span.tokens,
            )
