"""What a look at the sources found, from its trace: lanes, candidates with the reason each was cut, and the gate."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from audit.domain.inspection.words import CUTS, DECISIONS, LANES, SCORES, SIGNALS, in_words

Trace = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LaneCount:
    name: str
    hits: int
    kept: int


@dataclass(frozen=True, slots=True)
class TracedCandidate:
    """A candidate. scores: the value of each of SCORES, in their order, or None. cut: why it was cut; "" if kept."""

    chunk: str
    address: str
    found: tuple[tuple[str, int], ...]
    scores: tuple[float | None, ...]
    cut: str

    @property
    def is_kept(self) -> bool:
        return not self.cut


@dataclass(frozen=True, slots=True)
class SignalBar:
    """A row of the gate's chart. filled: 0..100, the width of its bar. bar: where the threshold stands, or None."""

    name: str
    value: float
    bar: float | None = None

    @property
    def filled(self) -> str:
        return f"{100 * min(1.0, max(0.0, self.value)):.1f}"

    @property
    def bar_at(self) -> str:
        return "" if self.bar is None else f"{100 * self.bar:.1f}"


@dataclass(frozen=True, slots=True)
class GateView:
    """The gate's decision in words, its chart, and what was decided beside it."""

    decision: str
    answers: bool
    bars: tuple[SignalBar, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LookView:
    """One look at the sources. wordings: (text, kind). capped: candidates that were not measured.

    copies: how many said nearly the same as a passage of the same upload. replica_trouble: why the primary
    database searched in place of the replica; "" otherwise.
    """

    wordings: tuple[tuple[str, str], ...]
    facts: tuple[tuple[str, str], ...]
    lanes: tuple[LaneCount, ...]
    candidates: tuple[TracedCandidate, ...]
    capped: int
    copies: int
    gate: GateView | None
    replica_trouble: str


SCORE_COLUMNS = tuple(SCORES.values())


def looks_of(trace: Trace) -> list[LookView]:
    """Every look of a turn, first to last; none for a turn that did not search."""
    return [_look(look) for look in (*trace.get("looks", ()), trace) if isinstance(look, Mapping) and "plan" in look]


def _look(look: Trace) -> LookView:
    candidates = tuple(map(_candidate, look.get("candidates", ())))
    return LookView(
        wordings=tuple((row["text"], in_words({}, row["kind"])) for row in look["plan"].get("wordings", ())),
        facts=tuple(_facts(look["plan"])),
        lanes=tuple(_lanes(look)),
        candidates=tuple(sorted(candidates, key=lambda candidate: not candidate.is_kept)),
        capped=len(look.get("capped", ())),
        copies=len(look.get("copies", ())),
        gate=_gate(look["gate"]) if look.get("gate") else None,
        replica_trouble=str(look.get("replica", "")),
    )


def _facts(plan: Trace) -> Iterator[tuple[str, str]]:
    """What else the plan says, as (name, words)."""
    alternatives = (
        f"{word}: {', '.join(' '.join(form) for form in forms)}" for word, forms in plan.get("alternatives", {}).items()
    )
    named = {
        "Route": in_words({}, plan.get("route")),
        "Language": plan.get("language", ""),
        "Search words": ", ".join(plan.get("words", ())),
        "Other words for them": "; ".join(alternatives),
        "Addresses": ", ".join(plan.get("addresses", ())),
        "Addresses that do not exist": ", ".join(plan.get("address_faults", ())),
        "Only these kinds": ", ".join(plan.get("wanted_kinds", ())),
        "Signs": ", ".join(in_words({}, flag) for flag in plan.get("flags", ())),
        "Follows up": in_words({}, plan.get("follow_up")) if plan.get("follow_up") else "",
    }
    return ((name, text) for name, text in named.items() if text)


def _lanes(look: Trace) -> Iterator[LaneCount]:
    kept = [candidate.get("lanes", {}) for candidate in look.get("candidates", ()) if candidate.get("cut_by") is None]
    lanes = look.get("lanes", {})
    for lane, hits in lanes.items() if isinstance(lanes, Mapping) else ():
        yield LaneCount(in_words(LANES, lane), hits, sum(lane in found for found in kept))


def _candidate(row: Trace) -> TracedCandidate:
    ranks = row.get("lanes", {})
    return TracedCandidate(
        chunk=str(row.get("chunk", "")),
        address=str(row.get("address", "")),
        found=tuple((in_words(LANES, lane), rank) for lane, rank in ranks.items()),
        scores=tuple(row.get(name) for name in SCORES),
        cut="" if row.get("cut_by") is None else in_words(CUTS, row["cut_by"]),
    )


def _gate(gate: Trace) -> GateView:
    signals: Mapping[str, float] = gate.get("signals", {})
    chance = SignalBar("Chance that the evidence answers", gate.get("coverage", 0.0), gate.get("bar"))
    subject = (SignalBar("Chance that the sources speak of this", gate["subject"]),) if "subject" in gate else ()
    bars = (SignalBar(in_words(SIGNALS, name).capitalize(), value) for name, value in signals.items())
    notes = {
        "thin": "Too little by itself, but near enough that an outline could decide.",
        "addressed": "The passage at the address that the question names is shown whatever was decided.",
        "closest": "The best passage was near enough to be shown instead of a refusal.",
    }
    decision = str(gate.get("decision", ""))
    return GateView(
        decision=in_words(DECISIONS, decision),
        answers=decision == "answer",
        bars=(chance, *subject, *bars),
        notes=tuple(said for name, said in notes.items() if gate.get(name)),
    )


def kept_chunks(looks: Sequence[LookView]) -> list[str]:
    """The chunks of the last look's evidence, best first."""
    return [candidate.chunk for candidate in looks[-1].candidates if candidate.is_kept] if looks else []
