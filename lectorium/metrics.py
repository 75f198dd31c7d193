"""Prometheus counters of this process. Gauges from the shared database are in operations/metrics_page.py.

Counted in memory, because each web process has its own port, which Prometheus scrapes separately. Labels never contain
words of a reader.
"""

from collections.abc import Mapping

from prometheus_client import Counter, Gauge, Histogram

SECONDS = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)

TURNS = Counter("lectorium_turns", "Completed turns.", ["outcome", "mode"])
REFUSALS = Counter("lectorium_refusals", "Refused turns, by reason.", ["reason"])
STAGES = Histogram("lectorium_turn_stage_seconds", "A turn's time by stage, and in total.", ["stage"], buckets=SECONDS)
CALLS = Counter("lectorium_model_calls", "Chat model calls, by outcome.", ["job", "outcome"])
SOCKETS = Gauge("lectorium_sockets", "Open reader connections.")
UNDER_WAY = Gauge("lectorium_turns_under_way", "Turns in progress.")
WAITING = Gauge("lectorium_turns_waiting", "Turns waiting for admission.")


def turn_counted(*, outcome: str, mode: str, reason: str, timings_ms: Mapping[str, int]) -> None:
    """Count a recorded turn. `reason` only matters for a refusal."""
    TURNS.labels(outcome, mode).inc()
    if outcome == "refused":
        REFUSALS.labels(reason).inc()
    for stage, ms in timings_ms.items():
        STAGES.labels(stage).observe(ms / 1000)
