"""What a process counts of its own work, for Prometheus. What every process shares is read in `metrics_page.py`.

Counted in memory where it happens, because a web server here is one process with a port of its own, which Prometheus
asks by itself and sums over: nothing is shared through files, and a scrape costs no count over all turns. Whatever
stands in a label is a word of ours, never of a reader's.
"""

from collections.abc import Mapping

from prometheus_client import Counter, Gauge, Histogram

SECONDS = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)

TURNS = Counter("lectorium_turns", "Turns that ended here.", ["outcome", "mode"])
REFUSALS = Counter("lectorium_refusals", "Turns that were refused here.", ["reason"])
STAGES = Histogram("lectorium_turn_stage_seconds", "A turn's time by stage, and in total.", ["stage"], buckets=SECONDS)
CALLS = Counter("lectorium_model_calls", "Calls of chat models, by how they ended.", ["job", "outcome"])
SOCKETS = Gauge("lectorium_sockets", "Readers' connections that are open.")
UNDER_WAY = Gauge("lectorium_turns_under_way", "Turns that are being worked on.")
WAITING = Gauge("lectorium_turns_waiting", "Turns that wait for a place.")


def turn_counted(*, outcome: str, mode: str, reason: str, timings_ms: Mapping[str, int]) -> None:
    """Count a turn that was recorded. reason: why it was refused, else ignored."""
    TURNS.labels(outcome, mode).inc()
    if outcome == "refused":
        REFUSALS.labels(reason).inc()
    for stage, ms in timings_ms.items():
        STAGES.labels(stage).observe(ms / 1000)
