"""The coverage gate's fitted weights: one JSON file per embedding model, written by `manage.py calibrate`."""

import functools
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings

from chat.answering.domain.evidence.coverage import Calibration
from corpus.models import EmbeddingSpace
from corpus.services.spaces import space_switch
from lectorium.providers.registry import embedder, reader


class MissingCalibration(RuntimeError):
    """The active embedder has no calibration, so no threshold means anything."""


def calibration_path(model: str) -> Path:
    """The path of an embedding model's calibration, whether or not it exists."""
    return Path(settings.CALIBRATIONS_DIR) / f"{re.sub(r'[^A-Za-z0-9.-]+', '_', model)}.json"


def calibration_of(space: EmbeddingSpace | None) -> Calibration:
    """Return a space's own calibration, or that of its model.

    Raises MissingCalibration where there is neither, or where it was fitted with another cross-encoder than reads now.
    """
    if space and space.calibration:
        calibration = _read(space.calibration)
    else:
        calibration = calibration_for(space.model if space else embedder().name)
    fitted_with, reads = calibration.evidence.get("reader"), reader().name
    if fitted_with and fitted_with != reads:
        raise MissingCalibration(
            f"The gate was calibrated with {fitted_with!r}, but {reads!r} reads the passages now. Run `manage.py "
            "calibrate`, or set LECTORIUM_CROSS_ENCODER back."
        )
    return calibration


def switch_space(space: EmbeddingSpace) -> None:
    """Let the space answer from the next question on. Raises MissingCalibration, or SpaceRefused where it is not ready.

    Only a calibrated space may answer, because no threshold means anything in another.
    """
    if not calibration_of(space).weights:
        raise MissingCalibration(
            f"{space} is calibrated only for questions in other languages, which it serves beside the space in use. To "
            f"let it answer questions in English too, run manage.py calibrate --space {space} first."
        )
    space_switch(space=space)


def calibration_for(model: str) -> Calibration:
    """Return the calibration of an embedding model, as its file says now. Raises MissingCalibration where none was
    made."""
    path = calibration_path(model)
    try:
        return _stored(path, path.stat().st_mtime_ns)
    except FileNotFoundError:
        raise MissingCalibration(
            f"The embedder {model!r} has no calibration, so Lectorium cannot tell an answer from a near miss. "
            "Run `manage.py calibrate`, or set LECTORIUM_EMBEDDER back to minilm."
        ) from None


@functools.lru_cache(maxsize=8)
def _stored(path: Path, changed: int) -> Calibration:
    """`changed` only tells one state of the file from the next: another process may have fitted it again."""
    return _read(json.loads(path.read_text(encoding="utf-8")))


def _read(stored: Mapping[str, Any]) -> Calibration:
    """`phrasing` is of an earlier version."""
    values = {name: value for name, value in stored.items() if name != "phrasing"}
    return Calibration(**{**values, "passage": tuple((x, y) for x, y in values.get("passage", ()))})
