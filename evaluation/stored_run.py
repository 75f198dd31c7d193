"""Stores a run of a suite with what it measured with: revision, corpus, models and calibrations."""

import hashlib
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings

from audit.domain.run_comparison import AskedQuestion
from audit.evaluation_runs.services import run_begin, run_end, run_stop
from chat.answering.calibrations import MissingCalibration, calibration_of, calibration_path
from corpus.selectors import corpus_fingerprint, serving_space
from evaluation.domain.run_metrics import metrics_in
from lectorium.providers.errors import ProviderError
from lectorium.providers.registry import clip_reader, embedder, reader, reranker, verifier

PARTS: Mapping[str, Callable[[], Any]] = {
    "embedder": embedder,
    "reader": reader,
    "clip reader": clip_reader,
    "verifier": verifier,
    "reranker": reranker,
}
MEASURED_BY = ("mode", "half", "limit", "planted", "judge", "set", "asked")  # options that change what is measured


@dataclass(frozen=True, slots=True)
class SuiteFigures:
    """What a suite measured. printed: for --json. shares: figures beyond those in `printed`. write: writes its page.

    failed: what did not hold ("": everything did). page: name in docs/results.
    """

    printed: Mapping[str, Any]
    write: Callable[[], object]
    page: str = ""
    shares: Mapping[str, Any] = field(default_factory=dict)
    questions: tuple[AskedQuestion, ...] = ()
    said: str = ""
    failed: str = ""


def run_stored(
    suite: str, options: Mapping[str, Any], measure: Callable[[], SuiteFigures], *, writes: bool
) -> SuiteFigures:
    """Measure, write the page where `writes`, and store the run; of a run that is cut off, why it ended."""
    chosen = {name: options[name] for name in MEASURED_BY if options.get(name) not in (None, "")}
    run = run_begin(suite=suite, options=chosen, seed=options.get("seed"), setting=run_setting())
    try:
        found = measure()
        if writes:
            found.write()
    except BaseException as error:
        run_stop(run, str(error) or type(error).__name__)
        raise
    run_end(
        run,
        corpus=corpus_fingerprint(),  # some suites import theirs
        metrics=metrics_in({**found.shares, **found.printed}),
        questions=found.questions,
        artefacts={"page": f"docs/results/{found.page}.md" if writes else "", "failed": found.failed},
    )
    return found


def run_setting() -> dict[str, Any]:
    return {
        "revision": revision(),
        "corpus": corpus_fingerprint(),
        "components": {name: _name_of(part) for name, part in PARTS.items()},
        "calibrations": _calibrations(),
    }


def revision() -> str:
    """The commit of this checkout, with "+" where files differ from it; "" where it is no checkout."""
    commit = _git("rev-parse", "--short", "HEAD")
    return commit + ("+" if commit and _git("status", "--porcelain", "--untracked-files=no") else "")


def _git(*words: str) -> str:
    try:
        found = subprocess.run(["git", *words], cwd=settings.BASE_DIR, capture_output=True, text=True, check=False)
    except OSError:  # git is not installed
        return ""
    return found.stdout.strip()


def _name_of(part: Callable[[], Any]) -> str:
    try:
        model = part()
    except ProviderError as error:
        return f"missing: {error}"
    return str(getattr(model, "name", type(model).__name__)) if model else "none"


def _calibrations() -> dict[str, str]:
    """A hash of the coverage gate's weights, by the model they were fitted for."""
    space = serving_space()
    model = space.model if space else embedder().name
    try:
        weights = calibration_of(space)
    except MissingCalibration:
        return {model: "missing"}
    path = calibration_path(model)
    text = path.read_bytes() if not (space and space.calibration) and path.is_file() else repr(weights).encode()
    return {model: hashlib.sha256(text).hexdigest()[:12]}
