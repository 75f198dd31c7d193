"""Measures a weights folder on the test sets: grounding, relevance, answerability, robustness and speed."""

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from lectorium.providers.cross_encoder import CrossEncoder
from lectorium.providers.mpnet.adapter import is_adapter
from training.evaluation.grounding import grounding
from training.evaluation.ranking import relevance
from training.evaluation.reading import answerability, twins
from training.evaluation.robustness import robustness
from training.evaluation.speed import speed
from training.evaluation.testsets import claim_sets, robust_claims

Result = dict[str, Any]


def evaluate(data: Path, folder: Path, *, rows: int, only: Sequence[str] | None = None) -> Result:
    """Every figure as plain numbers. rows: most rows of a test set. only: parts to measure; None for all.

    folder: of the small reader's weights, or of the big one's adapter.
    """
    model = _reader_in(folder)
    parts: dict[str, Callable[[], Any]] = {
        "grounding": lambda: grounding(model, claim_sets(data, rows=rows)),
        "answerability": lambda: answerability(model, data, rows=2 * rows),
        "twins": lambda: twins(model, data),
        "relevance": lambda: relevance(model, data, count=rows // 4),
        "robustness": lambda: robustness(model, *robust_claims(data, rows=rows // 2)),
        "speed": lambda: speed(model, folder),
        "runtimes": lambda: runtimes(folder, data),
    }
    result: Result = {"weights": model.calibration.version, "threshold": model.calibration.supported}
    for name in only or parts:
        measure = parts[name]
        started = time.monotonic()
        result[name] = measure()
        sys.stderr.write(f"{name}: {time.monotonic() - started:.0f} s\n")
    return result


def _reader_in(folder: Path) -> CrossEncoder:
    if not is_adapter(folder):
        return CrossEncoder(folder)
    from lectorium.providers.mpnet.reader import BigReader
    from training.background.bases import mpnet_folder

    return BigReader(mpnet_folder(), folder)


def runtimes(folder: Path, data: Path) -> Result:
    """Compare runtimes on golden claims; {"not_run": reason} if ONNX Runtime is not installed."""
    from training.evaluation.runtimes import batches_of, compare

    try:
        return compare(folder, batches_of(folder, claim_sets(data, rows=96)[0].rows))
    except ImportError as error:
        return {"not_run": f"{error.name} is not installed: pip install onnx onnxruntime onnxscript"}
