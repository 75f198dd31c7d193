"""What the coverage gate does to labelled questions, for docs/results/gate.md: weights, shares, risk by coverage."""

from collections.abc import Iterable, Sequence

from audit.domain.metrics import Share
from evaluation.calibration.fit import FittedGate
from evaluation.domain.ranking import COVERAGE_GOAL, HALLUCINATION_GOAL, ScoredQuestion, area_under_risk, trade_off

COVERAGES = tuple(tenth / 10 for tenth in range(1, 11))
CURVE = "gate_curve.svg"
WIDTH, HEIGHT, MARGIN = 480, 300, 44


def gate_lines(fitted: FittedGate, corpus: str) -> list[str]:
    """Return the section. Every chance is the one given to a question by a fit that had not seen its lecture."""
    calibration, kinds = fitted.calibration, list(dict.fromkeys(one.kind for one in fitted.asked))
    by_kind = {kind: fitted.of_kind(kind) for kind in kinds}
    bar = calibration.answer_from
    return [
        "## The coverage gate",
        "",
        f"{len(fitted.asked)} labelled questions over {corpus}: those of `golden/dev.jsonl` that the gate decides (no "
        "addresses, none underspecified) and SQuAD 2's as questions about other matters. Cross-validated by lecture: "
        "each is judged by weights fitted without its lecture, at the bar that is stored. Shares with 95 % Wilson "
        "intervals. Read by: `manage.py calibrate`.",
        "",
        "| signal | weight | AUROC, near misses | A from B | A from false twins |",
        "|---|---:|---:|---:|---:|",
        *_signal_lines(fitted),
        "",
        f"| kind | answered at a chance of {bar:.2f} | mean chance |",
        "|---|---|---:|",
        *(_kind_line(kind, judged, bar) for kind, judged in by_kind.items()),
        "",
        *_limits(by_kind, bar),
        "",
        *_curve_lines(fitted),
    ]


def curve_svg(points: Sequence[tuple[float, float]], at: tuple[float, float]) -> str:
    """Return a picture of (coverage, hallucination) points, both 0..1, with the one at the bar marked."""

    def place(coverage: float, invented: float) -> str:
        x = MARGIN + coverage * (WIDTH - 2 * MARGIN)
        return f"{x:.1f},{HEIGHT - MARGIN - invented * (HEIGHT - 2 * MARGIN):.1f}"

    line = " ".join(place(*point) for point in points)
    x, y = place(*at).split(",")
    grid = "".join(
        f'<path d="M{place(0, tick)} L{place(1, tick)}" stroke="#8886" fill="none"/>'
        f'<text x="{MARGIN - 6}" y="{float(place(0, tick).split(",")[1]) + 4}" text-anchor="end">{tick:.2f}</text>'
        f'<text x="{place(tick, 0).split(",")[0]}" y="{HEIGHT - MARGIN + 16}" text-anchor="middle">{tick:.2f}</text>'
        for tick in (0.0, 0.25, 0.5, 0.75, 1.0)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        f'font-size="11" fill="#777"><title>Unanswerable questions answered, by coverage</title>{grid}'
        f'<polyline points="{line}" fill="none" stroke="#2a78d6" stroke-width="2"/>'
        f'<circle cx="{x}" cy="{y}" r="4" fill="#2a78d6"/>'
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 8}" text-anchor="middle">coverage: answerable answered</text>'
        f'<text x="14" y="{HEIGHT / 2}" text-anchor="middle" transform="rotate(-90 14 {HEIGHT / 2})">near misses '
        "answered</text></svg>\n"
    )


def _signal_lines(fitted: FittedGate) -> Iterable[str]:
    evidence = fitted.calibration.evidence
    alone, apart = evidence["auroc_by_signal"], evidence["auroc_from_a"]
    if not isinstance(alone, dict) or not isinstance(apart, dict):
        raise TypeError("a calibration's evidence holds AUROC by signal")
    for name, value in sorted(alone.items(), key=lambda item: -item[1]):
        weight = fitted.calibration.weights.get(name)
        told = f"{weight:.2f}" if weight else "left out"
        yield f"| {name.replace('_', ' ')} | {told} | {value:.3f} | {_apart(apart, name)} |"
    yield f"| **all, weighed** | | {evidence['auroc']:.3f} | {_apart(apart, 'all, cross-validated')} |"


def _apart(apart: dict[str, dict[str, float]], name: str) -> str:
    return " | ".join(f"{apart[told][name]:.3f}" if told in apart else "–" for told in ("unanswerable", "false twins"))


def _kind_line(kind: str, judged: Sequence[ScoredQuestion], bar: float) -> str:
    mean = sum(question.score for question in judged) / max(1, len(judged))
    has = "" if judged[0].answerable else ", none has an answer"
    return f"| {kind}{has} | {Share.of(question.score >= bar for question in judged)} | {mean:.2f} |"


def _limits(by_kind: dict[str, list[ScoredQuestion]], bar: float) -> Iterable[str]:
    """Say which kinds the gate is worst at: computed, so that it stays true."""

    def answered(judged: Sequence[ScoredQuestion]) -> float:
        return sum(question.score >= bar for question in judged) / len(judged)

    kinds = {kind: judged for kind, judged in by_kind.items() if len(judged) >= 5}
    lost = min((kind for kind, judged in kinds.items() if judged[0].answerable), key=lambda one: answered(kinds[one]))
    passed = max((kind for kind, judged in kinds.items() if not judged[0].answerable), key=lambda k: answered(kinds[k]))
    yield (
        f'What limits it: of the answerable kinds "{lost}" is refused most ({1 - answered(kinds[lost]):.0%}), of the '
        f'others "{passed}" is answered most ({answered(kinds[passed]):.0%}).'
    )


def _curve_lines(fitted: FittedGate) -> Iterable[str]:
    points, area = trade_off(fitted.near), area_under_risk(fitted.near)
    kept, invented = fitted.at_the_bar
    yield from (
        f"![Near misses answered, by coverage]({CURVE})",
        "",
        f"Against near misses alone the area under the risk–coverage curve (AURC) is {area:.3f}.",
        "",
        f"| answerable answered | {' | '.join(f'{one:.1f}' for one in COVERAGES)} |",
        "|---|" + "---:|" * len(COVERAGES),
        f"| near misses answered | {' | '.join(f'{_invented_at(points, one):.2f}' for one in COVERAGES)} |",
        "",
        "| goal | bar | at the stored bar | met | what could be had |",
        "|---|---|---|---|---|",
        f"| near misses answered | ≤ {HALLUCINATION_GOAL:.2f} | {invented} | "
        f"{_yes(invented.value <= HALLUCINATION_GOAL)} | at coverage {COVERAGE_GOAL:.2f}: "
        f"{_invented_at(points, COVERAGE_GOAL):.2f} |",
        f"| coverage: answerable answered | ≥ {COVERAGE_GOAL:.2f} | {kept} | {_yes(kept.value >= COVERAGE_GOAL)} | "
        f"with at most {HALLUCINATION_GOAL:.0%} of near misses answered: "
        f"{max(x for x, y in points if y <= HALLUCINATION_GOAL):.2f} |",
    )


def _invented_at(points: Sequence[tuple[float, float]], coverage: float) -> float:
    return next(invented for reached, invented in points if reached >= coverage - 1e-9)


def _yes(met: bool) -> str:
    return "yes" if met else "no"
