"""Prometheus counters of this machine's processes. Gauges from the shared database are in operations/metrics_page.py.

Where PROMETHEUS_MULTIPROC_DIR names a folder, as `manage.py serve` does, web and worker processes count in files there,
and every one of them reports the sum. Otherwise each process counts in memory. Labels never contain words of a reader.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from prometheus_client import Counter, Gauge, Histogram

SECONDS = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)

TURNS = Counter("lectorium_turns", "Completed turns.", ["outcome", "mode"])
REFUSALS = Counter("lectorium_refusals", "Refused turns, by reason.", ["reason"])
STAGES = Histogram("lectorium_turn_stage_seconds", "A turn's time by stage, and in total.", ["stage"], buckets=SECONDS)
CALLS = Counter("lectorium_model_calls", "Chat model calls, by outcome.", ["job", "outcome"])
SOCKETS = Gauge("lectorium_sockets", "Open reader connections.", multiprocess_mode="livesum")
UNDER_WAY = Gauge("lectorium_turns_under_way", "Turns in progress.", multiprocess_mode="livesum")
WAITING = Gauge("lectorium_turns_waiting", "Turns waiting for admission.", multiprocess_mode="livesum")
REPLICA_FALLBACKS = Counter("lectorium_replica_fallbacks", "Searches that the primary did for the replica.")
JOBS = Counter("lectorium_jobs", "Ended jobs of workers, such as imports and index runs.", ["job", "outcome"])
FOLDER = "PROMETHEUS_MULTIPROC_DIR"


def turn_counted(*, outcome: str, mode: str, reason: str, timings_ms: Mapping[str, int]) -> None:
    """Count a recorded turn. `reason` only matters for a refusal."""
    TURNS.labels(outcome, mode).inc()
    if outcome == "refused":
        REFUSALS.labels(reason).inc()
    for stage, ms in timings_ms.items():
        STAGES.labels(stage).observe(ms / 1000)


def job_counted(*, job: str, succeeded: bool) -> None:
    JOBS.labels(job, "succeeded" if succeeded else "failed").inc()


def shared_folder() -> Path | None:
    """Where the processes of this machine count together; None where each counts alone."""
    name = os.environ.get(FOLDER, "")
    return Path(name) if name else None


def forget_dead_gauges(folder: Path) -> None:
    """Delete the gauges of processes that ended, e.g. were killed with connections open. Their counters stay."""
    for file in folder.glob("gauge_live*.db"):
        number = file.stem.rpartition("_")[2]
        if number.isdecimal() and not _is_alive(int(number)):
            file.unlink(missing_ok=True)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
