"""Whisper on this machine's processor, by faster-whisper, which `make speech` installs."""

import threading
from pathlib import Path
from typing import Any

from lectorium.providers.errors import ModelMissing, PermanentError
from lectorium.providers.protocols import SpeechAnswer
from lectorium.providers.speech.folder import FILES, LOCAL, is_local_speech
from lectorium.providers.stand_ins import guard


class WhisperModel:
    """One recording at a time: a second one waits, since each takes all cores."""

    def __init__(self, name: str) -> None:
        """name: "local:FOLDER". Raises ModelMissing where the folder or faster-whisper is not there."""
        guard.check(f"speech model {name}")
        if not is_local_speech(name):
            raise ModelMissing(f"{name!r} names no folder with {', '.join(FILES)}; run make speech")
        self.name = name
        self._one_at_a_time = threading.Lock()
        self._model = _loaded(name.removeprefix(LOCAL))

    def transcribe(self, path: Path) -> SpeechAnswer:
        """What is said in a recording. Raises PermanentError for a file that cannot be read."""
        with self._one_at_a_time:
            try:
                heard, info = self._model.transcribe(str(path), word_timestamps=True, vad_filter=False)
                segments = list(heard)  # it is heard while it is iterated
            except (OSError, ValueError, RuntimeError) as error:
                raise PermanentError(f"{self.name} cannot read the recording ({type(error).__name__})") from error
        return SpeechAnswer(
            info.language,
            tuple((segment.start, segment.end, segment.text) for segment in segments),
            tuple((word.start, word.end, word.word) for segment in segments for word in segment.words or ()),
        )


def _loaded(folder: str) -> Any:
    try:
        from faster_whisper import WhisperModel as Weights
    except ImportError:
        raise ModelMissing("faster-whisper is not installed; run make speech") from None
    return Weights(folder, device="cpu", compute_type="int8", local_files_only=True)
