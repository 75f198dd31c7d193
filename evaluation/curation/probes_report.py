"""What the probes found, as a part of docs/results/pins.md."""

import re
from collections import Counter
from collections.abc import Iterator

from evaluation.curation.probes import MeasuredProbes, ProbeOutcome
from lectorium.report_table import table

OUTCOMES = ("accepted", "near", "rejected")
EXPECTED = ("accept", "reject")
_QUOTED = re.compile(r"^It has much of “.*”, but (.*)$", re.S)


def probes_report(found: MeasuredProbes, judge: str, corpus: str) -> Iterator[str]:
    """The lines: outcomes against what was expected, what decided, and every false accept of a pin."""
    outcomes = found.outcomes
    fixtures = {case.probe.fixture for case in outcomes}
    yield (
        f"{len(outcomes)} probes of {len(fixtures)} pins and notes (`evaluation/curation/fixtures.json`, "
        f"`evaluation/curation/probes.jsonl`) over {corpus}, judged by {judge}. Each has rewordings that it should "
        "accept and questions that it should reject. Their author had not read the matching, and nothing is fitted on "
        "them. A pin has one wording, its question. The file names no kinds of probes, so there is no table of them. "
        "Regenerate: `manage.py probe_pins`."
    )
    yield ""
    if found.warning:
        yield from (found.warning, "")
    yield from table(
        ("entries", "expected", "probes", *OUTCOMES),
        [_row(outcomes, kind, expected) for kind in ("pin", "note") for expected in EXPECTED],
        right=("probes", *OUTCOMES),
    )
    yield from _in_turn(outcomes)
    yield from _left_out(found)
    yield from _wrong_pins(outcomes)
    yield "What decided, by the probe's own pin or note:"
    yield ""
    yield from table(("entries", "reason", *EXPECTED), _reasons(outcomes), right=EXPECTED)


def _row(outcomes: tuple[ProbeOutcome, ...], kind: str, expected: str) -> tuple[object, ...]:
    chosen = [case.outcome for case in outcomes if (case.kind, case.probe.expected) == (kind, expected)]
    shares = (f"{chosen.count(name)} ({chosen.count(name) / max(1, len(chosen)):.1%})" for name in OUTCOMES)
    return (f"{kind}s", expected, len(chosen), *shares)


def _in_turn(outcomes: tuple[ProbeOutcome, ...]) -> Iterator[str]:
    changed = [
        f"“{case.probe.question}” ({case.outcome}, {case.in_turn})" for case in outcomes if case.outcome != case.in_turn
    ]
    wrong = [f"“{case.probe.question}” by {', '.join(case.turn_pins)}" for case in outcomes if case.turn_pins]
    yield (
        "That is the preview of the admin. A turn also matches the corrected spelling and synonyms of the glossary. "
        f"There {len(changed)} probes fare otherwise{': ' if changed else ''}{'; '.join(changed)}. "
        f"Probes that a pin answers wrongly in a turn: {len(wrong)}{': ' if wrong else ''}{'; '.join(wrong)}."
    )
    yield ""


def _left_out(found: MeasuredProbes) -> Iterator[str]:
    yield (
        f"References without a passage here, left out: {len(found.dead)}. Pins and notes without any other, left out "
        f"with their probes: {len(found.left_out)}. Accepts of a note by probes of another entry: "
        f"{sum(case.other_notes for case in found.outcomes)} (nobody has judged whether they fit)."
    )
    yield ""


def _wrong_pins(outcomes: tuple[ProbeOutcome, ...]) -> Iterator[str]:
    wrong = [(case, pin) for case in outcomes for pin in case.wrong_pins]
    others = sum(case.probe.fixture != pin.fixture for case, pin in wrong)
    yield f"False accepts of pins: {len(wrong)} (goal 0), {others} of them probes of another pin or note."
    yield ""
    if wrong:
        rows = [
            (case.probe.question, f"{case.probe.fixture}, {case.probe.expected}", pin.title, pin.why)
            for case, pin in wrong
        ]
        yield from table(("question", "probe of", "pin that answers", "why"), rows)


def _reasons(outcomes: tuple[ProbeOutcome, ...]) -> Iterator[tuple[object, ...]]:
    counts = Counter((case.kind, _kind_of(case), case.probe.expected) for case in outcomes)
    for kind in ("pin", "note"):
        reasons = {reason for of, reason, _ in counts if of == kind}
        for reason in sorted(reasons, key=lambda name: -sum(counts[kind, name, expected] for expected in EXPECTED)):
            yield (f"{kind}s", reason, *(counts[kind, reason, expected] for expected in EXPECTED))


def _kind_of(case: ProbeOutcome) -> str:
    """The reason without the words of the entry."""
    reason = _QUOTED.sub(r"It has much of the pin's words, but \1", case.reason)
    return f"{reason[:-1]} ({case.outcome})."
