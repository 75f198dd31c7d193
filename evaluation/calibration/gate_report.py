"""docs/results/gate.md: weights of the coverage gate, shares answered, risk by coverage."""

from collections.abc import Iterable, Mapping, Sequence

from audit.domain.metrics import Share
from evaluation.calibration.fit import ELSEWHERE, FittedGate
from evaluation.domain.ranking import (
    COVERAGE_GOAL,
    HALLUCINATION_GOAL,
    ScoredQuestion,
    area_under_risk,
    bar_reaching,
    lowest_bar,
    separation,
    trade_off,
)
from evaluation.domain.report_parts import GOAL_COLUMNS, Goal, goal_rows
from lectorium.report_table import table

COVERAGES = tuple(tenth / 10 for tenth in range(1, 11))
SIGNAL_COLUMNS = ("signal", "weight", "AUROC, near misses", "A from B", "A from false twins", "weight in the subject")
GOLDEN_COVERAGE, GOLDEN_BUDGET = 0.75, 0.05  # asked of the golden questions alone
CURVE = "gate_curve"
LABELS = "coverage: answerable answered", "near misses answered"


def gate_lines(fitted: FittedGate, corpus: str) -> list[str]:
    kinds = dict.fromkeys(question.kind for question in fitted.questions)
    by_kind = {kind: fitted.of_kind(kind) for kind in kinds}
    bar = fitted.calibration.answer_from
    return [
        "## The coverage gate",
        "",
        f"{len(fitted.questions)} labelled questions over {corpus}: those of `golden/dev.jsonl` that the gate decides "
        "(no addresses, none underspecified), the natural ones that may be fitted on, and off-topic ones of SQuAD 2. "
        "Cross-validated by lecture: each question is judged by weights fitted without its lecture, at the stored "
        "threshold. Shares with 95 % Wilson intervals. Regenerate: `manage.py calibrate`.",
        "",
        "The chance is that what is shown answers, and not merely that something in the corpus would. Answerable "
        f"questions answered at {bar:.2f} whose answer holds a sentence or paragraph that their author marked: "
        f"{fitted.served}.",
        "",
        f"From a chance of {fitted.calibration.likely_from:.2f} up to that bar the closest passages are said to answer "
        "probably. Of the questions about the corpus that lie there, with and without an answer, the best clips hold "
        f"it for {fitted.likely}.",
        "",
        *table(SIGNAL_COLUMNS, _signal_rows(fitted), right=SIGNAL_COLUMNS[1:]),
        *_subject_lines(fitted),
        *table(
            ("kind", f"answered at a chance of {bar:.2f}", "mean chance", "else closest passages"),
            ((*_kind_row(kind, scored, bar), fitted.shown(kind)) for kind, scored in by_kind.items()),
            right=("mean chance",),
        ),
        *_limits(by_kind, bar),
        "",
        *_curve_lines(fitted),
        *_golden_lines(fitted),
    ]


def _signal_rows(fitted: FittedGate) -> Iterable[Iterable[object]]:
    evidence = fitted.calibration.evidence
    alone, apart = evidence["auroc_by_signal"], evidence["auroc_from_a"]
    if not isinstance(alone, dict) or not isinstance(apart, dict):
        raise TypeError("a calibration's evidence holds AUROC by signal")
    for name, value in sorted(alone.items(), key=lambda item: -item[1]):
        weight, subject = (
            _weight(weights, name) for weights in (fitted.calibration.weights, fitted.calibration.subject)
        )
        yield name.replace("_", " "), weight, f"{value:.3f}", *_contrasts(apart, name), subject
    yield "**all, weighed**", "", f"{evidence['auroc']:.3f}", *_contrasts(apart, "all, cross-validated"), ""


def _weight(weights: Mapping[str, float], name: str) -> str:
    return f"{weights[name]:.2f}" if name in weights else "left out"


def _subject_lines(fitted: FittedGate) -> Iterable[str]:
    """The second chance: what it is, and which share of each sort of question it lets through."""
    evidence = fitted.calibration.evidence
    yield from (
        "A second chance, that the corpus speaks of what is asked, decides between the closest passages and a refusal. "
        f"It tells answerable questions from those off topic with an AUROC of {evidence['auroc_subject']:.3f}; the bar "
        f"of {fitted.calibration.closest_from:.2f} lets {ELSEWHERE:.0%} of those off topic through, "
        f"{evidence['answerable_at_least_closest']:.1%} of the answerable questions, and "
        f"{evidence['near_at_least_closest']:.1%} of the near misses.",
        "",
    )


def _contrasts(apart: dict[str, dict[str, float]], name: str) -> Iterable[str]:
    return (f"{apart[key][name]:.3f}" if key in apart else "–" for key in ("unanswerable", "false twins"))


def _kind_row(kind: str, scored: Sequence[ScoredQuestion], bar: float) -> tuple[object, ...]:
    mean = sum(question.score for question in scored) / max(1, len(scored))
    note = "" if scored[0].answerable else ", none has an answer"
    return f"{kind}{note}", Share.of(question.score >= bar for question in scored), f"{mean:.2f}"


def _limits(by_kind: dict[str, list[ScoredQuestion]], bar: float) -> Iterable[str]:
    """The kinds on which the gate is worst."""

    def answered(kind: str) -> float:
        return sum(question.score >= bar for question in by_kind[kind]) / len(by_kind[kind])

    kinds = [kind for kind, scored in by_kind.items() if len(scored) >= 5]
    lost = min((kind for kind in kinds if by_kind[kind][0].answerable), key=answered)
    passed = max((kind for kind in kinds if not by_kind[kind][0].answerable), key=answered)
    yield (
        f'What limits it: of the answerable kinds "{lost}" is refused most ({1 - answered(lost):.0%}), of the '
        f'others "{passed}" is answered most ({answered(passed):.0%}).'
    )


def _curve_lines(fitted: FittedGate) -> Iterable[str]:
    points, area = trade_off(fitted.near), area_under_risk(fitted.near)
    answered, hallucinated = fitted.at_the_bar
    coverages = [f"{coverage:.1f}" for coverage in COVERAGES]
    curve = ("near misses answered", *(f"{_hallucination_at(points, coverage):.2f}" for coverage in COVERAGES))
    rows = goal_rows(
        [
            Goal("near misses answered", HALLUCINATION_GOAL, hallucinated, at_most=True),
            Goal("coverage: answerable answered", COVERAGE_GOAL, answered),
        ]
    )
    possible = (
        f"at coverage {COVERAGE_GOAL:.2f}: {_hallucination_at(points, COVERAGE_GOAL):.2f}",
        f"with at most {HALLUCINATION_GOAL:.0%} of near misses answered: "
        f"{max(x for x, y in points if y <= HALLUCINATION_GOAL):.2f}",
    )
    yield from (
        f"![Near misses answered, by coverage]({CURVE}.svg)",
        "",
        f"Against near misses alone the area under the risk–coverage curve (AURC) is {area:.3f}.",
        "",
        *table(("answerable answered", *coverages), [curve], right=coverages),
        *table((*GOAL_COLUMNS, "possible instead"), ((*row, best) for row, best in zip(rows, possible, strict=True))),
    )


def _hallucination_at(points: Sequence[tuple[float, float]], coverage: float) -> float:
    return next(hallucination for reached, hallucination in points if reached >= coverage - 1e-9)


def _golden_lines(fitted: FittedGate) -> Iterable[str]:
    """The golden questions alone: at the stored bar, and at the bars that would meet one goal or the other."""
    golden = fitted.golden
    yes, no = ([question.score for question in golden if question.answerable is wanted] for wanted in (True, False))
    if not yes or not no:
        return
    bar = fitted.calibration.answer_from
    answered, hallucinated = (Share.of(score >= bar for score in scores) for scores in (yes, no))
    bars = {
        "the stored bar": bar,
        f"the bar that answers {GOLDEN_COVERAGE:.0%}": bar_reaching(golden, GOLDEN_COVERAGE),
        f"the bar above {GOLDEN_BUDGET:.0%} of the unanswerable": lowest_bar(golden, GOLDEN_BUDGET) + 1e-9,
    }
    yield from (
        f"Of the golden questions alone, judged by the same folds (AUROC {separation(golden):.3f}):",
        "",
        *table(
            ("at", "chance", "answerable answered", "unanswerable answered"),
            (
                (name, f"{at:.2f}", *(Share.of(score >= at for score in scores) for scores in (yes, no)))
                for name, at in bars.items()
            ),
        ),
        *table(
            GOAL_COLUMNS,
            goal_rows(
                [
                    Goal("golden, coverage: answerable answered", GOLDEN_COVERAGE, answered),
                    Goal("golden, unanswerable answered", GOLDEN_BUDGET, hallucinated, at_most=True),
                ]
            ),
        ),
    )
