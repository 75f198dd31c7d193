"""A speech model behind HTTP, with the OpenAI protocol: a hosted service, or a local server of faster-whisper."""

import functools
import json
import math
from pathlib import Path
from typing import Any

from django.conf import settings

from lectorium.providers.deadlines import Deadlines
from lectorium.providers.endpoint import Endpoint
from lectorium.providers.errors import Garbled, ModelMissing
from lectorium.providers.protocols import SpeechAnswer, SpeechModel, TimedText
from lectorium.providers.speech.whisper import WhisperModel
from lectorium.providers.stand_ins import guard

from .poster import ServicePoster

LANGUAGE_CHARS = 40


class SpeechEndpoint:
    """POSTs a recording to URL/audio/transcriptions and reads `verbose_json`."""

    def __init__(self, endpoint: Endpoint, model: str, *, patience: Deadlines) -> None:
        guard.check(f"speech model {endpoint.name}:{model}")
        self.name = f"{endpoint.name}:{model}"
        self._model = model
        self._poster = ServicePoster(self.name, endpoint, patience)

    def transcribe(self, path: Path) -> SpeechAnswer:
        """What is said in a recording. Raises as ServicePoster.post."""
        fields = {
            "model": self._model,
            "response_format": "verbose_json",
            "timestamp_granularities[]": ["segment", "word"],
        }
        said = self._poster.post("/audio/transcriptions", file=path, data=fields)
        try:
            return _answer(json.loads(said))
        except (LookupError, TypeError, ValueError, OverflowError, RecursionError, AttributeError):
            raise Garbled(
                f"{self.name} must answer in verbose_json, with the seconds of each segment; "
                f"it said {self._poster.quoted(said)}"
            ) from None

    def close(self) -> None:
        self._poster.close()


@functools.cache
def speech_model(name: str) -> SpeechModel:
    """The speech model "provider:model" of a configured service, or "local:FOLDER". Raises ModelMissing."""
    provider, _, model = name.partition(":")
    if provider == "local":
        return WhisperModel(name)
    if provider not in settings.CHAT_ENDPOINTS or not model:
        raise ModelMissing(
            f"{name!r} must be PROVIDER:MODEL with a service of LECTORIUM_CHAT_ENDPOINTS, or local:FOLDER"
        )
    seconds = settings.TRANSCRIBE_SECONDS
    patience = Deadlines(silence=seconds, whole=seconds)
    return SpeechEndpoint(settings.CHAT_ENDPOINTS[provider], model, patience=patience)


def _answer(said: Any) -> SpeechAnswer:
    segments = _timed(said.get("segments") or (), "text")
    words = _timed(said.get("words") or (), "word")
    if str(said["text"]).strip() and not segments and not words:
        message = "text without times"
        raise ValueError(message)
    return SpeechAnswer(str(said.get("language") or "")[:LANGUAGE_CHARS], segments, words)


def _timed(entries: Any, name: str) -> tuple[TimedText, ...]:
    timed = tuple((float(entry["start"]), float(entry["end"]), str(entry[name])) for entry in entries)
    if not all(math.isfinite(start) and math.isfinite(end) for start, end, _ in timed):
        message = "times that are no numbers"
        raise ValueError(message)
    return timed
