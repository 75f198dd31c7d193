"""The coverage gate's fitted weights, one JSON file an embedding model, written by `manage.py calibrate`."""

import functools
import json
import re
from pathlib import Path

from django.conf import settings

from chat.domain.coverage import Calibration


class Uncalibrated(RuntimeError):
    """The active embedder has no calibration, so no threshold means anything."""


def calibration_path(model: str) -> Path:
    """Return where the calibration of an embedding model lies, whether or not it exists."""
    return Path(settings.CALIBRATIONS_DIR) / f"{re.sub(r'[^A-Za-z0-9.-]+', '_', model)}.json"


@functools.cache
def calibration_for(model: str) -> Calibration:
    """Return the calibration of an embedding model. Raises Uncalibrated where none was made."""
    path = calibration_path(model)
    if not path.is_file():
        raise Uncalibrated(
            f"The embedder {model!r} has no calibration, so Lectorium cannot tell an answer from a near miss. "
            "Run `manage.py calibrate`, or set LECTORIUM_EMBEDDER back to minilm."
        )
    stored = json.loads(path.read_text(encoding="utf-8"))
    return Calibration(**{**stored, "phrasing": tuple((x, y) for x, y in stored.get("phrasing", ()))})
