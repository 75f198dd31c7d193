"""Each call of a chat model, noted where it ends, so that a turn can record who served which job."""

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
    """One call, however it ended.

    outcome: written; stopped, by whoever listened; builtin, where no model was to be asked; or a provider's fault.
    began: seconds since 1970. estimated: the service counted no tokens.
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
        """Return the price at the row's prices, in their currency."""
        return (self.served.price_in * self.tokens_in + self.served.price_out * self.tokens_out) / A_MILLION

    def as_dict(self) -> dict[str, Any]:
        """Return what a turn records."""
        return {
            **self.served.as_dict(),
            "outcome": self.outcome,
            "ms": round(1000 * self.seconds),
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "estimated": self.estimated,
            "cost": f"{self.cost.normalize():f}",
        }


_heard: ContextVar[list[Call] | None] = ContextVar("heard", default=None)


def collect_calls(calls: list[Call]) -> None:
    """Note every later call of this task, and of those it starts, in `calls`."""
    _heard.set(calls)


def left_alone() -> frozenset[str]:
    """Return the models that kept this turn waiting in vain: whatever the job, they are not asked again in it."""
    return frozenset(call.served.model for call in _heard.get() or () if call.outcome == TooSlow.fault)


def waited(jobs: Collection[str] = ()) -> float:
    """Return the seconds of this turn in which a model of these jobs, or any, was waited for; two at once as one."""
    spans = sorted((call.began, call.began + call.seconds) for call in _heard.get() or () if _is_of(call, jobs))
    total = until = 0.0
    for began, ended in spans:
        total += max(0.0, ended - max(began, until))
        until = max(until, ended)
    return total


def _is_of(call: Call, jobs: Collection[str]) -> bool:
    return not jobs or call.served.job in jobs


def note(call: Call) -> None:
    """Count a call, and add it to those of its turn."""
    if call.outcome != BUILTIN_DID:
        CALLS.labels(call.served.job, call.outcome).inc()
    calls = _heard.get()
    if calls is not None and not (call.outcome == BUILTIN_DID and call.served in [call.served for call in calls]):
        calls.append(call)
