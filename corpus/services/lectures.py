"""Stores a lecture with its sections and chunks."""

from collections.abc import Iterable, Iterator, Sequence

from corpus.domain.addresses.address import address_key
from corpus.domain.chunking import ChunkRules, ChunkSpan, chunk_transcript
from corpus.domain.passage import Cue
from corpus.domain.transcript import PlacedParagraph, Transcript, assemble
from corpus.importers.drafts import LectureDraft
from corpus.models import Chunk, Collection, Lecture, Section
from lectorium.providers import registry

from .contexts import Contexts
from .corrections import chunk_labels, corrections_keep
from .publishing import lecture_replace_older
from .recordings import recording_store
from .report import ImportOutcome
from .storing import NewSource, chunks_replace, sections_replace
from .waiting_recordings import transcription_wait


def lecture_store(*, draft: LectureDraft, collection: Collection, source_hash: str) -> ImportOutcome:
    """Store a lecture; call it in a transaction. Unchanged content keeps its ids.

    A recording without words joins the transcript with its key. A transcript without a recording keeps the lecture's
    one.
    """
    lecture = Lecture.objects.filter(collection=collection, key=draft.key).first()
    is_new = lecture is None
    lecture = lecture or Lecture(collection=collection, key=draft.key)
    lecture.source_hash = source_hash
    if draft.media:
        recording_store(lecture=lecture, path=draft.media)
    if lecture.text and not draft.paragraphs:
        lecture.save()
        return ImportOutcome(draft.file, "changed", lecture.chunks.count())
    transcript = assemble(draft.paragraphs)
    _describe(lecture, draft, transcript)
    lecture.save()
    sections_replace(
        lecture, (_section(lecture, n, placed) for n, placed in enumerate(transcript.paragraphs)), is_new=is_new
    )
    chunks = chunks_replace(lecture, _chunks(lecture, transcript), is_new=is_new)
    replaced = lecture_replace_older(lecture=lecture) if is_new else []
    remark = replacement_remark(replaced) if lecture.text else transcription_wait(lecture=lecture)
    return ImportOutcome(draft.file, "imported" if is_new else "changed", chunks, remark=remark)


def lecture_new(*, draft: LectureDraft, collection: Collection, source_hash: str) -> NewSource:
    """A lecture without a recording that is not stored yet. Raises ImportRefused."""
    lecture = Lecture(collection=collection, key=draft.key, source_hash=source_hash)
    transcript = assemble(draft.paragraphs)
    _describe(lecture, draft, transcript)
    sections = (_section(lecture, ordinal, placed) for ordinal, placed in enumerate(transcript.paragraphs))
    return NewSource.of(lecture, sections, _chunks(lecture, transcript))


def replacement_remark(replaced: Sequence[Lecture]) -> str:
    keys = ", ".join(sorted(older.key for older in replaced))
    return f"replaces {keys}, which has the same title and half of the wording in common" if keys else ""


def _describe(lecture: Lecture, draft: LectureDraft, transcript: Transcript) -> None:
    lecture.title, lecture.language = draft.title, draft.language
    lecture.speaker, lecture.date, lecture.place, lecture.series = draft.speaker, draft.date, draft.place, draft.series
    lecture.summary = draft.summary
    lecture.text = transcript.text
    lecture.cues = _rows(transcript.cues)
    lecture.sounds = [[sound.start_s, sound.end_s, sound.label] for sound in draft.sounds]
    corrections_keep(lecture)


def _section(lecture: Lecture, ordinal: int, placed: PlacedParagraph) -> Section:
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
        source_text=paragraph.source,
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
    last = paragraphs[-1].paragraph
    return Chunk(
        collection_id=lecture.collection_id,
        lecture=lecture,
        kind=Chunk.Kind.LECTURE,
        language=lecture.language,
        address=addresses[0],
        address_keys=list(dict.fromkeys(map(address_key, addresses))),
        text=transcript.text[span.start : span.end],
        **chunk_labels(lecture, last.heading, last.speaker, contexts),
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
