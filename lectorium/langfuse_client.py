"""Sends turns to Langfuse. Imported on first use, because the package is optional and slow to load."""

import functools
import json
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from typing import Any

from langfuse import Langfuse, LangfuseOtelSpanAttributes
from opentelemetry.context import Context
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.trace import Tracer, set_span_in_context

from lectorium.env import LangfuseKeys
from lectorium.ladder.calls import BUILTIN_DID, Call
from lectorium.langfuse_tracing import SECONDS, ObservedTurn

Names = LangfuseOtelSpanAttributes
_turn: ContextVar[int] = ContextVar("turn")


class TurnIds(RandomIdGenerator):
    """Gives a trace the id of its turn."""

    def generate_trace_id(self) -> int:
        return _turn.get()


def send(keys: LangfuseKeys, turn: ObservedTurn) -> None:
    """Hand a turn to the client, which sends it in batches on its own thread."""
    _turn.set(turn.turn.int)
    tracer = connect(keys)[1]
    shared = {
        Names.TRACE_NAME: "turn",
        Names.TRACE_SESSION_ID: str(turn.conversation),
        Names.TRACE_USER_ID: turn.asker,
    }
    whole = tracer.start_span(
        "turn",
        Context(),
        attributes={
            **shared,
            Names.OBSERVATION_TYPE: "span",
            Names.OBSERVATION_INPUT: turn.question,
            Names.OBSERVATION_OUTPUT: turn.answer,
            **dict(_metadata(turn.facts)),
        },
        start_time=_nanoseconds(turn.began),
    )
    within = set_span_in_context(whole, Context())
    for call in turn.calls:
        span = tracer.start_span(
            call.served.job, within, attributes=shared | _described(call), start_time=_nanoseconds(call.began)
        )
        span.end(_nanoseconds(call.began + call.seconds))
    whole.end(_nanoseconds(turn.began + turn.seconds))


@functools.cache
def connect(keys: LangfuseKeys) -> tuple[Langfuse, Tracer]:
    """The client and its tracer; the client exports only our own spans."""
    provider = TracerProvider(resource=Resource({"service.name": "lectorium"}), id_generator=TurnIds())
    client = Langfuse(
        public_key=keys.public_key,
        secret_key=keys.secret_key,
        base_url=keys.host,
        timeout=SECONDS,
        tracer_provider=provider,
        should_export_span=lambda span: True,
    )
    return client, provider.get_tracer("lectorium")


def _described(call: Call) -> dict[str, Any]:
    served = call.served
    if call.outcome == BUILTIN_DID:
        kind: dict[str, Any] = {Names.OBSERVATION_TYPE: "span"}
    else:
        kind = {
            Names.OBSERVATION_TYPE: "generation",
            Names.OBSERVATION_MODEL: served.model,
            Names.OBSERVATION_MODEL_PARAMETERS: json.dumps(
                {"temperature": served.temperature, "max_tokens": served.max_tokens}
            ),
            Names.OBSERVATION_USAGE_DETAILS: json.dumps({"input": call.tokens_in, "output": call.tokens_out}),
            Names.OBSERVATION_COST_DETAILS: json.dumps({"total": float(call.cost)}),
            Names.VERSION: served.prompt,
        }
    if call.is_fault:
        kind |= {Names.OBSERVATION_LEVEL: "ERROR", Names.OBSERVATION_STATUS_MESSAGE: call.outcome}
    facts = ("row", "version", "percent", "prompt", "outcome", "estimated")
    return kind | dict(_metadata({name: value for name, value in call.as_dict().items() if name in facts}))


def _metadata(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in facts.items():
        yield f"{Names.OBSERVATION_METADATA}.{name}", json.dumps(value, ensure_ascii=False)


def _nanoseconds(seconds: float) -> int:
    return int(seconds * 1_000_000_000)
