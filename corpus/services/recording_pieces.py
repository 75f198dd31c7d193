"""The files that a speech service is sent: a recording whole, or in pieces that ffmpeg cuts where it is installed."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings

from corpus.domain.transcription import PieceRules, RecordingPiece, pieces_of
from corpus.importers.limits import MEGABYTE
from corpus.importers.refusal import ImportRefused
from corpus.models import Lecture

PIECES = PieceRules()
CUT_SECONDS = 600.0  # that cutting a piece may take
SAID_CHARS = 200  # of what ffmpeg said in a refusal
# Each ending's demuxer by name: a file that is something else, such as a playlist of addresses, is not read.
_DEMUXERS = {
    ".mp3": "mp3", ".ogg": "ogg", ".opus": "ogg", ".m4a": "mov", ".mp4": "mov", ".wav": "wav", ".flac": "flac",
    ".webm": "matroska",
}  # fmt: skip


def local_copy(lecture: Lecture, folder: Path) -> Path:
    """The recording as a file in this folder, since the storage may be remote. Raises ImportRefused."""
    name = lecture.media.name or ""
    path = folder / f"recording{Path(name).suffix}"
    try:
        with lecture.media.open("rb") as stored, path.open("wb") as local:
            shutil.copyfileobj(stored, local)
    except FileNotFoundError as error:
        raise ImportRefused("is missing from the media folder; import the recording again") from error
    return path


def planned_pieces(recording: Path, seconds: float | None) -> Sequence[RecordingPiece]:
    """How a recording is sent. Raises ImportRefused where it is over the limit and cannot be cut."""
    size = recording.stat().st_size
    if size <= settings.TRANSCRIBE_MB * MEGABYTE:
        return (RecordingPiece(0.0, seconds or 0.0),)
    limit = (
        f"is {size / MEGABYTE:.1f} MB; a speech service is sent {settings.TRANSCRIBE_MB} MB at once "
        "(LECTORIUM_TRANSCRIBE_MB)"
    )
    if not shutil.which("ffmpeg"):
        raise ImportRefused(
            f"{limit}, and ffmpeg, which would cut it, is not installed on the worker's host; install it and "
            "transcribe again, or import a smaller recording"
        )
    if not seconds:
        raise ImportRefused(f"{limit}, and it does not say how long it is; export it again")
    return pieces_of(seconds, PIECES)


def piece_file(recording: Path, piece: RecordingPiece, pieces: int) -> Path:
    """The file of a piece, beside the recording, in mono; the recording itself where it is the only piece."""
    if pieces == 1:
        return recording
    path = recording.with_name("piece.mp3")
    demuxer = _DEMUXERS[recording.suffix.lower()]
    command = [
        shutil.which("ffmpeg") or "ffmpeg", "-nostdin", "-y", "-v", "error", "-protocol_whitelist", "file",
        "-f", demuxer, "-ss", f"{piece.start_s:.3f}", "-t", f"{piece.seconds:.3f}", "-i", str(recording),
        "-vn", "-ac", "1", "-ar", "16000", "-b:a", "48k", str(path),
    ]  # fmt: skip
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=CUT_SECONDS)
    except (OSError, subprocess.SubprocessError) as error:
        said = (getattr(error, "stderr", None) or b"").decode(errors="replace").replace(str(recording), "it")
        last = (said.strip().splitlines() or [type(error).__name__])[-1]
        raise ImportRefused(f"cannot be cut by ffmpeg ({last[:SAID_CHARS]}); export the recording again") from error
    return path
