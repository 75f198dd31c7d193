"""Transcribes a recording piece by piece. What was heard of a piece is stored at once, so that a run can be resumed."""

import logging
import time
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

from django.conf.locale import LANG_INFO
from django.db.models.functions import Now

from corpus.domain.cues import CueTimesError, clock
from corpus.domain.text.traced import storable
from corpus.domain.transcription import DraftCaption, RecordingPiece, captions_of, checked_captions, joined
from corpus.importers.refusal import ImportRefused
from corpus.models import Transcription
from lectorium.ladder.speech import HeardSound, transcribe
from lectorium.providers.errors import BudgetReached, PermanentError, ProviderError
from lectorium.providers.protocols import SpeechAnswer, TimedText

from .recording_pieces import local_copy, piece_file, planned_pieces
from .waiting_recordings import HAS_TRANSCRIPT, WAITS_FOR_MODEL, transcription_queue

State = Transcription.State
DEADLINE = 1500.0  # seconds after which a run lets the next one go on; a job may take 3,600
ATTEMPTS = 5  # an hour apart
CHECK = (
    "Export the recording in another format, or ask an operator to check the job “transcribe”; then transcribe again."
)
KEPT = "The recording and what was heard before are kept."

logger = logging.getLogger(__name__)


class _Discarded(Exception):
    """An editor discarded the transcription, or another recording came."""


def transcription_run(*, transcription_id: UUID) -> str:
    """Transcribe a waiting recording, or go on with it; return a one-line summary. Can be repeated after a kill."""
    if not _move(transcription_id, State.WAITING, State.TRANSCRIBING, problem=""):
        return "nothing to do"
    row = Transcription.objects.select_related("lecture").get(pk=transcription_id)
    try:
        return _transcribed(row)
    except _Discarded:
        return "discarded"
    except BudgetReached as error:
        return _waits(row, f"{error} The recording waits until then.")
    except PermanentError as error:
        return _failed(row, f"{_place(row)}{error}. {CHECK} {KEPT}")
    except ProviderError as error:
        return _tried(row, error)
    except (CueTimesError, ImportRefused) as error:
        return _failed(row, f"{_place(row)}{error}. {KEPT}")
    except Exception as error:  # editors must see any error
        logger.exception("transcription %s failed", transcription_id)
        _failed(row, f"It failed ({type(error).__name__}); see the worker's log, then transcribe again. {KEPT}")
        raise


def _transcribed(row: Transcription) -> str:
    if row.lecture.text:
        _move(row.pk, State.TRANSCRIBING, State.DISCARDED, problem=HAS_TRANSCRIPT)
        return "nothing to do"
    until = time.monotonic() + DEADLINE
    with TemporaryDirectory(prefix="lectorium-") as folder:
        recording = local_copy(row.lecture, Path(folder))
        pieces = _pieces(row, recording)
        for piece in pieces[len(row.heard) :]:
            if time.monotonic() > until:
                _keep(row, state=State.WAITING)
                transcription_queue(row.pk)
                return f"{len(row.heard)} of {len(pieces)} pieces"
            sound = transcribe(str(row.pk), piece_file(recording, piece, len(pieces)))
            if sound is None:
                return _waits(row, f"It is {WAITS_FOR_MODEL}.")
            _store_heard(row, sound, piece)
    return _drafted(row, pieces)


def _pieces(row: Transcription, recording: Path) -> list[RecordingPiece]:
    """The stored pieces once one was heard; otherwise planned afresh, since a limit may have changed."""
    if not row.heard:
        row.pieces = [list(astuple(piece)) for piece in planned_pieces(recording, row.lecture.media_seconds)]
        _keep(row, pieces=row.pieces)
    return [RecordingPiece(*piece) for piece in row.pieces]


def _store_heard(row: Transcription, sound: HeardSound, piece: RecordingPiece) -> None:
    """Store what was heard of a piece. Raises CueTimesError for impossible times; then nothing of it is stored."""
    captions = captions_of(_captions(sound.answer.segments), _captions(sound.answer.words))
    try:
        checked = checked_captions(captions, piece.seconds or None)
    except CueTimesError as error:
        raise CueTimesError(
            f"{sound.model} answered with impossible times ({error}); transcribe again, "
            "or import a transcript of the same name"
        ) from error
    row.heard.append([list(astuple(caption)) for caption in checked])
    row.language, row.model, row.attempts = row.language or _code(sound.answer), sound.model, 0
    _keep(row, heard=row.heard, language=row.language, model=row.model, attempts=0)


def _drafted(row: Transcription, pieces: Sequence[RecordingPiece]) -> str:
    heard = [[DraftCaption(*caption) for caption in captions] for captions in row.heard]
    lines = [list(astuple(line)) for line in joined(pieces, heard)]
    if not any(character.isalnum() for _, _, text in lines for character in text):
        raise ImportRefused(
            f"{row.model} heard no words in it; if there is speech, transcribe again with another model, "
            "or import a transcript of the same name"
        )
    _keep(row, state=State.REVIEW, lines=lines, problem="")
    return f"{len(lines)} lines to review"


def _captions(timed: Sequence[TimedText]) -> list[DraftCaption]:
    return [DraftCaption(start, end, storable(" ".join(text.split()))) for start, end, text in timed]


def _code(answer: SpeechAnswer) -> str:
    """The language's code: services name it as "de" or as "german"."""
    said = answer.language.strip().lower()
    names = {info["name"].lower(): code for code, info in LANG_INFO.items() if "name" in info}
    return names.get(said, said if said in LANG_INFO else "")


def _place(row: Transcription) -> str:
    """Where a recording of several pieces failed."""
    if len(row.pieces) < 2 or len(row.heard) >= len(row.pieces):
        return ""
    start, end = row.pieces[len(row.heard)]
    return f"From {clock(start)} to {clock(end)}: "


def _tried(row: Transcription, error: ProviderError) -> str:
    tried = row.attempts + 1
    said = f"{_place(row)}{error}."
    if tried >= ATTEMPTS:
        return _failed(row, f"{said} It was tried {tried} times; transcribe again once the service answers. {KEPT}")
    return _waits(row, f"{said} Tried {tried} of {ATTEMPTS} times; the next try is within the hour.", attempts=tried)


def _waits(row: Transcription, problem: str, **values: Any) -> str:
    _move(row.pk, State.TRANSCRIBING, State.WAITING, media=row.media, problem=problem, **values)
    return problem


def _failed(row: Transcription, problem: str) -> str:
    _move(row.pk, State.TRANSCRIBING, State.FAILED, media=row.media, problem=problem, attempts=0)
    return problem


def _keep(row: Transcription, *, state: str = State.TRANSCRIBING, **values: Any) -> None:
    if not _move(row.pk, State.TRANSCRIBING, state, media=row.media, **values):
        raise _Discarded


def _move(key: UUID, before: str, after: str, *, media: str = "", **values: Any) -> bool:
    rows = Transcription.objects.filter(pk=key, state=before, **({"media": media} if media else {}))
    return bool(rows.update(state=after, touched_at=Now(), **values))
