"""Recordings without a transcript: they wait until a model drafts one."""

from datetime import timedelta
from uuid import UUID

from django.db.models.functions import Now

from corpus.models import Lecture, Transcription
from lectorium.ladder.jobs import TRANSCRIBE
from lectorium.ladder.selectors import has_model

from .queueing import job_queue

State = Transcription.State
ABANDONED_AFTER = timedelta(hours=1)  # a piece takes half an hour at most, so its worker was killed
QUEUED_AT_ONCE = 200
HAS_TRANSCRIPT = "A transcript was imported meanwhile."
IS_TRANSCRIBED = "a recording without a transcript: a model drafts one, which waits under Transcriptions for review"
WAITS_FOR_MODEL = (
    "a recording without a transcript: it waits for one, because no model does the job “transcribe”; "
    "import a transcript of the same name, or ask an operator for a model"
)


def transcription_wait(*, lecture: Lecture) -> str:
    """Let a recording without words wait for its transcript; call it in a transaction. Returns a remark for the import.

    Another recording of the same lecture begins anew.
    """
    has_transcriber = has_model(TRANSCRIBE)
    if media := lecture.media.name or "":  # a preview stores none
        row, is_new = Transcription.objects.get_or_create(lecture=lecture, defaults={"media": media})
        if not is_new and row.media != media:
            begin_anew(row, media=media)
        if has_transcriber:
            transcription_queue(row.pk)
    return IS_TRANSCRIBED if has_transcriber else WAITS_FOR_MODEL


def recordings_queue() -> int:
    """Queue every waiting recording if a model can transcribe; return how many.

    Includes recordings from before there were transcriptions, and those whose worker was killed.
    """
    rows = Transcription.objects.filter(state=State.TRANSCRIBING, touched_at__lt=Now() - ABANDONED_AFTER)
    rows.update(state=State.WAITING, touched_at=Now())
    superseded = Transcription.objects.filter(state=State.WAITING).exclude(lecture__text="")
    superseded.update(state=State.DISCARDED, problem=HAS_TRANSCRIPT, touched_at=Now())
    silent = Lecture.objects.filter(text="", transcription=None, state=Lecture.State.PUBLISHED).exclude(media="")
    for lecture in silent.only("media")[:QUEUED_AT_ONCE]:
        Transcription.objects.get_or_create(lecture=lecture, defaults={"media": lecture.media.name or ""})
    if not has_model(TRANSCRIBE):
        return 0
    waiting = Transcription.objects.filter(state=State.WAITING, lecture__state=Lecture.State.PUBLISHED)
    keys = list(waiting.order_by("touched_at").values_list("pk", flat=True)[:QUEUED_AT_ONCE])
    for key in keys:
        transcription_queue(key)
    return len(keys)


def begin_anew(row: Transcription, *, media: str) -> None:
    """Forget what was heard, and wait."""
    Transcription.objects.filter(pk=row.pk).update(
        state=State.WAITING, media=media, pieces=[], heard=[], lines=[], language="", model="", attempts=0, problem="",
        touched_at=Now(),
    )  # fmt: skip


def transcription_queue(key: UUID) -> None:
    job_queue("transcribe_recording", str(key))
