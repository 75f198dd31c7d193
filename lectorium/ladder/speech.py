"""Calls the speech models of the job `transcribe`: within budget, counted, and with a fallback."""

import logging
import time
from dataclasses import dataclass
from pathlib import Path

from lectorium.ladder.calls import WRITTEN, Call, note
from lectorium.ladder.jobs import TRANSCRIBE
from lectorium.ladder.selectors import ResolvedModel, budget_check, chain
from lectorium.ladder.services import usage_record
from lectorium.providers.errors import ProviderError
from lectorium.providers.posted.speech_endpoint import speech_model
from lectorium.providers.protocols import SpeechAnswer

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HeardSound:
    """What was heard, and by which model ("provider:model")."""

    answer: SpeechAnswer
    model: str


def transcribe(key: str, path: Path) -> HeardSound | None:
    """What is said in a sound file; None without a model for the job.

    key: always falls on the same side of an A/B split. Raises ProviderError where all models failed: a fault that may
    pass, if there was one.
    """
    errors: list[ProviderError] = []
    for served in chain(TRANSCRIBE, key):
        if served.is_builtin:
            break
        try:
            return HeardSound(_asked(served, path), served.model)
        except ProviderError as error:
            log.warning("%s: %s failed: %s", TRANSCRIBE, served.model, error)
            errors.append(error)
    if errors:
        raise next((error for error in errors if error.retryable), errors[0])
    return None


def _asked(served: ResolvedModel, path: Path) -> SpeechAnswer:
    budget_check(TRANSCRIBE)
    began, clock, outcome = time.time(), time.perf_counter(), WRITTEN
    try:
        return speech_model(served.model).transcribe(path)
    except ProviderError as error:
        outcome = error.fault
        raise
    finally:
        call = Call(served, outcome, began, time.perf_counter() - clock, estimated=True)  # services count no tokens
        note(call)
        usage_record(call=call)
