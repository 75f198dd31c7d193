"""Records each call of a chat model, so that a turn can store which model did which job."""

from collections.abc import Collection
from contextvars import ContextVar
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from lectorium.ladder.selectors import ResolvedModel
from lectorium.metrics import CALLS
from lectorium.providers.errors import TooSlow

A_MILLION = 1_000_000
WRITTEN, STOPPED, BUILTIN_DID = "written", "stopped", "builtin"


@dataclass(frozen=True, slots=True)
class Call:
    """One call.

    outcome: written, stopped (by the caller), builtin (no model was to be asked), or a provider's fault. began: seconds
    since 1970. seconds: 0 for a call that was not made. estimated: the service did not count tokens.
    """

    served: ResolvedModel
    outcome: str
    began: float
    seconds: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    estimated: bool = False

    @property
    def is_fault(self) -> bool:
        return self.outcome not in (WRITTEN, STOPPED, BUILTIN_DID)

    @property
    def cost(self) -> Decimal:
        """The cost at the row's prices, in their currency."""
        return (self.served.price_in * self.tokens_in + self.served.price_out * self.tokens_out) / A_MILLION

    def as_dict(self) -> dict[str, Any]:
        return {
            **self.served.as_dict(),
            "outcome": self.outcome,
            "ms": round(1000 * self.seconds),
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "estimated": self.estimated,
            "cost": f"{self.cost.normalize():f}",
        }


_collected: ContextVar[list[Call] | None] = ContextVar("collected_calls", default=None)


def collect_calls(calls: list[Call]) -> None:
    """Record every later call of this task and of the tasks it starts in `calls`."""
    _collected.set(calls)


def timed_out_models() -> frozenset[str]:
    """Models that timed out in this turn. They are not asked again in it, for any job.

    A call that was never made, since no time was left for its job, took no seconds and tells nothing of its model.
    """
    calls = _collected.get() or ()
    return frozenset(call.served.model for call in calls if call.outcome == TooSlow.fault and call.seconds > 0)


def waited(jobs: Collection[str] = ()) -> float:
    """Seconds of this turn spent waiting for models of these jobs, or of any; overlapping calls count once."""
    spans = sorted((call.began, call.began + call.seconds) for call in _collected.get() or () if _is_of(call, jobs))
    total = until = 0.0
    for began, ended in spans:
        total += max(0.0, ended - max(began, until))
        until = max(until, ended)
    return total


def _is_of(call: Call, jobs: Collection[str]) -> bool:
    return not jobs or call.served.job in jobs


def note(call: Call) -> None:
    """Count a call and add it to its turn."""
    if call.outcome != BUILTIN_DID:
        CALLS.labels(call.served.job, call.outcome).inc()
    calls = _collected.get()
    if calls is not None and not (call.outcome == BUILTIN_DID and call.served in [call.served for call in calls]):
        calls.append(call)
