"""Importing lectures: one transaction each; an unchanged one costs a comparison of hashes."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from corpus.domain.address import address_key
from corpus.domain.chunking import ChunkRules, ChunkSpan, chunk_transcript
from corpus.domain.passage import Cue
from corpus.domain.transcript import Placed, Transcript, assemble
from corpus.importers.discovery import read_lectures
from corpus.importers.drafts import LectureDraft
from corpus.models import Chunk, Collection, Lecture, Section
from lectorium.providers import registry

from .contexts import Contexts
from .importing import drafts_or_refusals, import_all, source_hash
from .publishing import lecture_replace_older
from .recordings import recording_digest, recording_store
from .report import SILENT, ImportReport, Outcome, Progress
from .storing import chunks_replace, sections_replace


def lectures_import(*, paths: Sequence[Path], collection: Collection, progress: Progress = SILENT) -> ImportReport:
    """Import every lecture under the paths into the collection."""

    def store(draft: LectureDraft, fresh_hash: str) -> Outcome:
        outcome = lecture_store(draft=draft, collection=collection, source_hash=fresh_hash)
        progress.advance()
        return outcome

    return import_all(
        drafts_or_refusals(paths, read_lectures, progress),
        collection=collection,
        known=dict(Lecture.objects.filter(collection=collection).values_list("key", "source_hash")),
        hash_of=lambda draft: source_hash(draft, recording_digest(draft.media)),
        store=store,
        progress=progress,
    )


def lecture_store(*, draft: LectureDraft, collection: Collection, source_hash: str) -> Outcome:
    """Store the lecture, its sections and chunks; call it in a transaction. Ids stay where the content does."""
    lecture = Lecture.objects.filter(collection=collection, key=draft.key).first()
    is_new = lecture is None
    lecture = lecture or Lecture(collection=collection, key=draft.key)
    transcript = assemble(draft.paragraphs)
    _describe(lecture, draft, transcript)
    lecture.source_hash = source_hash
    recording_store(lecture=lecture, path=draft.media)
    lecture.save()
    sections_replace(
        lecture, [_section(lecture, n, placed) for n, placed in enumerate(transcript.paragraphs)], is_new=is_new
    )
    chunks = chunks_replace(lecture, _chunks(lecture, transcript), is_new=is_new)
    if is_new:
        lecture_replace_older(lecture=lecture)
    return Outcome(draft.file, "imported" if is_new else "changed", chunks)


def _describe(lecture: Lecture, draft: LectureDraft, transcript: Transcript) -> None:
    lecture.title, lecture.language = draft.title, draft.language
    lecture.speaker, lecture.date, lecture.place, lecture.series = draft.speaker, draft.date, draft.place, draft.series
    lecture.text = transcript.text
    lecture.cues = _rows(transcript.cues)
    lecture.media_seconds = transcript.cues[-1].end_s if transcript.cues and draft.media else None


def _section(lecture: Lecture, ordinal: int, placed: Placed) -> Section:
    paragraph = placed.paragraph
    return Section(
        lecture=lecture,
        ordinal=ordinal,
        address=paragraph.address,
        address_key=address_key(paragraph.address),
        heading=paragraph.heading,
        speaker=paragraph.speaker,
        text=paragraph.text,
        char_start=placed.start,
        char_end=placed.end,
        start=paragraph.cues[0].start_s if paragraph.cues else None,
        end=paragraph.cues[-1].end_s if paragraph.cues else None,
    )


def _chunks(lecture: Lecture, transcript: Transcript) -> Iterator[Chunk]:
    embedder = registry.embedder()
    contexts = Contexts(lecture, ((p.paragraph.heading, p.paragraph.text) for p in transcript.paragraphs))
    for span in chunk_transcript(transcript, embedder.token_spans, ChunkRules(embedder.max_tokens)):
        yield _chunk(lecture, transcript, span, contexts)


def _chunk(lecture: Lecture, transcript: Transcript, span: ChunkSpan, contexts: Contexts) -> Chunk:
    paragraphs = transcript.paragraphs_within(span.start, span.end)
    cues = transcript.cues_within(span.start, span.end)
    addresses = [placed.paragraph.address for placed in paragraphs]
    heading = paragraphs[-1].paragraph.heading
    speaker = paragraphs[-1].paragraph.speaker or lecture.speaker
    return Chunk(
        collection_id=lecture.collection_id,
        lecture=lecture,
        kind=Chunk.Kind.LECTURE,
        language=lecture.language,
        address=addresses[0],
        address_keys=list(dict.fromkeys(map(address_key, addresses))),
        heading=f"{lecture.title} · {heading}"[:500] if heading else lecture.title,
        text=transcript.text[span.start : span.end],
        context=contexts.line(heading, speaker),
        speaker=speaker,
        paragraphs=[[placed.start, placed.end, placed.paragraph.address] for placed in paragraphs],
        cues=_rows(cues),
        char_start=span.start,
        char_end=span.end,
        start=cues[0].start_s if cues else None,
        end=cues[-1].end_s if cues else None,
        tokens=span.tokens,
    )


def _rows(cues: Iterable[Cue]) -> list[list[float]]:
    return [[cue.start, cue.end, cue.start_s, cue.end_s] for cue in cues]
