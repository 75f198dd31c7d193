"""What an editor decides of a drafted transcript: edit its lines, import it, discard it, or have it drafted again."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from corpus.domain.cues import CueTimesError, SpokenCue, sounds, timed_paragraphs
from corpus.domain.text.traced import storable
from corpus.importers.drafts import LectureDraft
from corpus.importers.refusal import ImportRefused
from corpus.models import Lecture, Transcription

from .collections import collection_lock
from .corrections import imported_values
from .lectures import lecture_store
from .queueing import job_queue
from .report import ImportReport
from .uploads import import_record
from .waiting_recordings import begin_anew, transcription_queue

State = Transcription.State
LINE_CHARS = 5000
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})?")
UNDECIDED = (State.WAITING, State.TRANSCRIBING, State.REVIEW, State.FAILED)
REPEATABLE = (State.FAILED, State.DISCARDED)


@transaction.atomic
def transcript_edit(*, transcription_id: UUID, texts: Mapping[int, str], language: str = "") -> int:
    """Set the texts of these lines, and the language if given; return how many lines changed.

    An emptied line is left out when the draft is imported. Raises ImportRefused, and then changes nothing.
    """
    row = _locked(transcription_id)
    _require_review(row)
    if language and not _LANGUAGE.fullmatch(language):
        raise ImportRefused(f"{language[:20]!r} is no code of a language; write it as en, de or pt-br")
    row.language = language or row.language
    changed = sum(_set_text(row.lines, number, text) for number, text in texts.items())
    row.touched_at = Now()
    row.save(update_fields=["lines", "language", "touched_at"])
    return changed


@transaction.atomic
def transcript_accept(*, transcription_id: UUID, by: Any) -> None:
    """Import the draft as the lecture's transcript, queue indexing. Raises ImportRefused, and then stores nothing."""
    collection = Transcription.objects.select_related("lecture__collection").get(pk=transcription_id).lecture.collection
    collection_lock(collection=collection)
    row = _locked(transcription_id)
    _require_review(row)
    lecture = Lecture.objects.get(pk=row.lecture_id)
    if lecture.text:
        raise ImportRefused("the lecture has a transcript by now; discard this draft")
    if lecture.media.name != row.media:
        raise ImportRefused("the lecture has another recording by now; discard this draft, then transcribe again")
    draft = _draft(row, lecture)
    draft.check()
    # With the recording's own hash, its file in a watched folder stays unchanged.
    outcome = lecture_store(draft=draft, collection=collection, source_hash=lecture.source_hash)
    row.state, row.by, row.problem, row.touched_at = State.IMPORTED, by, "", Now()
    row.save(update_fields=["state", "by", "problem", "touched_at"])
    import_record(paths=[Path(row.media)], collection=collection, report=ImportReport((outcome,)), by=by)
    job_queue("index_corpus")


def transcript_discard(*, transcription_id: UUID, by: Any) -> bool:
    """Discard an undecided draft; False where there is none. The recording stays and goes on without a transcript."""
    rows = Transcription.objects.filter(pk=transcription_id, state__in=UNDECIDED)
    return bool(rows.update(state=State.DISCARDED, lines=[], heard=[], by=by, problem="", touched_at=Now()))


@transaction.atomic
def transcript_again(*, transcription_id: UUID) -> bool:
    """Queue a recording again; False where it is at work or imported. A failed one goes on after its last piece."""
    row = _locked(transcription_id)
    if row.state not in REPEATABLE:
        return False
    if row.state == State.FAILED and len(row.heard) < len(row.pieces):
        Transcription.objects.filter(pk=row.pk).update(state=State.WAITING, problem="", attempts=0, touched_at=Now())
    else:
        begin_anew(row, media=row.lecture.media.name or "")
    transcription_queue(row.pk)
    return True


def _set_text(lines: list[list[Any]], number: int, text: str) -> bool:
    """Set a line's text; whether that changed it."""
    if not 0 <= number < len(lines):
        raise ImportRefused(f"line {number + 1} is not in this draft, which was made anew; load the page again")
    text = storable(" ".join(text.split()))
    if lines[number][2] == text:
        return False
    if len(text) > LINE_CHARS:
        raise ImportRefused(f"line {number + 1} has {len(text):,} characters; a line may have {LINE_CHARS:,}")
    lines[number][2] = text
    return True


def _draft(row: Transcription, lecture: Lecture) -> LectureDraft:
    spoken = [line for line in row.lines if line[2]]
    cues = [SpokenCue(number, text, start, end) for number, (start, end, text) in enumerate(spoken, start=1)]
    try:
        paragraphs = timed_paragraphs(cues, lecture.key)
    except CueTimesError as error:
        raise ImportRefused(f"{error}; discard the draft, then transcribe again") from error
    if not paragraphs:
        raise ImportRefused("no line has words; write what is said, or discard the draft")
    return LectureDraft(
        file=lecture.key,
        key=lecture.key,
        paragraphs=paragraphs,
        language=row.language or lecture.language,
        place=lecture.place,
        summary=lecture.summary,
        sounds=sounds(cues),
        **imported_values(lecture),
    )


def _locked(transcription_id: UUID) -> Transcription:
    return Transcription.objects.select_for_update(of=("self",)).select_related("lecture").get(pk=transcription_id)


def _require_review(row: Transcription) -> None:
    if row.state != State.REVIEW:
        raise ImportRefused(f"the draft is not to be reviewed now ({row.get_state_display().lower()})")
