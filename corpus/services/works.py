"""Stores a work; every verse is a section and, if it fits, one chunk."""

from collections.abc import Iterator, Sequence

from corpus.domain.addresses.address import address_key, address_keys, chapters_of, label_of, sort_key
from corpus.domain.chunking import ChunkRules, split_text
from corpus.importers.drafts import VerseDraft, WorkDraft
from corpus.models import Chunk, Collection, Section, Work
from lectorium.providers import registry

from .contexts import Contexts
from .report import SILENT, ImportOutcome, ImportProgress
from .storing import NewSource, chunks_replace, sections_replace


def work_store(
    *, draft: WorkDraft, collection: Collection, source_hash: str, progress: ImportProgress = SILENT
) -> ImportOutcome:
    """Store a work; call it in a transaction. Unchanged content keeps its ids."""
    work = Work.objects.filter(collection=collection, key=draft.key).first()
    is_new = work is None
    work = work or Work(collection=collection, key=draft.key)
    _describe(work, draft, source_hash)
    work.save()
    verses = _in_order(draft.verses)
    sections_replace(work, (_section(work, ordinal, verse) for ordinal, verse in enumerate(verses)), is_new=is_new)
    chunks = chunks_replace(work, _chunks(work, verses, progress), is_new=is_new)
    return ImportOutcome(draft.file, "imported" if is_new else "changed", chunks)


def work_new(*, draft: WorkDraft, collection: Collection, source_hash: str) -> NewSource:
    """A work that is not stored yet. Raises ImportRefused."""
    work, verses = Work(collection=collection, key=draft.key), _in_order(draft.verses)
    _describe(work, draft, source_hash)
    sections = (_section(work, ordinal, verse) for ordinal, verse in enumerate(verses))
    return NewSource.of(work, sections, _chunks(work, verses, SILENT))


def _describe(work: Work, draft: WorkDraft, source_hash: str) -> None:
    work.title, work.language, work.source_hash = draft.title, draft.language, source_hash
    work.abbreviation, work.translator = draft.abbreviation, draft.translator
    work.books = draft.books | chapters_of(verse.address for verse in draft.verses)


def _in_order(verses: Sequence[VerseDraft]) -> list[VerseDraft]:
    """The verses in canonical order: books as first seen in the file, then by number."""
    shelf = {label: position for position, label in enumerate(dict.fromkeys(label_of(v.address) for v in verses))}
    return sorted(verses, key=lambda verse: sort_key(verse.address, shelf))


def _section(work: Work, ordinal: int, verse: VerseDraft) -> Section:
    return Section(
        work=work,
        ordinal=ordinal,
        address=verse.address,
        address_key=address_key(verse.address),
        heading=_chapter(verse),
        speaker=verse.speaker,
        text=verse.text,
        original=verse.original,
        source_text=verse.source,
    )


def _chapter(verse: VerseDraft) -> str:
    return verse.heading or (verse.book if verse.chapter is None else f"{verse.book} {verse.chapter}")


def _chunks(work: Work, verses: Sequence[VerseDraft], progress: ImportProgress) -> Iterator[Chunk]:
    embedder = registry.embedder()
    rules = ChunkRules(embedder.max_tokens)
    contexts = Contexts(work, ((_chapter(verse), verse.text) for verse in verses))
    for verse in verses:
        context = f"{contexts.line(_chapter(verse), verse.speaker)} {verse.original}".strip()
        for span in split_text(verse.text, embedder.token_spans, rules):
            text = verse.text[span.start : span.end]
            yield Chunk(
                collection_id=work.collection_id,
                work=work,
                kind=Chunk.Kind.LIBRARY if verse.chapter is None else Chunk.Kind.VERSE,
                language=work.language,
                address=verse.address,
                address_keys=list(address_keys(verse.address)),
                heading=f"{work.title} · {verse.address}",
                text=text,
                context=context,
                speaker=verse.speaker,
                paragraphs=[[0, len(text), verse.address]],
                tokens=span.tokens,
            )
        progress.advance()
