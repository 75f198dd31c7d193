"""What a verifier makes of the hand-written claims, as JSON and for docs/results/verifier.md. Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from audit.domain.metrics import Share, percent
from evaluation.escape.handwritten.checking import OUTCOMES
from evaluation.escape.handwritten.claims import LABELS, SOURCES, UNSEEN, HandwrittenClaim
from evaluation.escape.handwritten.measured_halves import MEASURES, MeasuredHalf
from evaluation.escape.handwritten.report import NAMES
from lectorium.providers.handwritten_bar import MOST_VERIFIED_FALSE

Halves = Mapping[str, MeasuredHalf]


def as_json(halves: Halves, verifier: str, stored: str) -> dict[str, Any]:
    """Return every figure. bar: None where the unseen half was not measured. stored: where the bar was stored."""
    bar = halves[UNSEEN].bar if UNSEEN in halves else None
    return {
        "verifier": verifier,
        "bar": bar and {**bar.as_dict(), "most": MOST_VERIFIED_FALSE, "stored": stored},
        **{name: _half_as_json(half) for name, half in halves.items()},
    }


def part(halves: Halves, stored: str) -> str:
    """Return one verifier's part of docs/results/verifier.md."""
    lines = [_bar_in_words(halves, stored), ""]
    for name, half in halves.items():
        lines += [f"AUROC, {NAMES[name]} (claims of a kind against all true sentences):", "", *_aurocs(half)]
        lines += [f"Verdicts after all checks, {NAMES[name]}:", "", *_verdicts(half)]
    return "\n".join(lines)


HEAD = """## Verifiers on claims written by hand

The claims of the escape test, written by authors who had read neither the guards nor the training code. The AUROC is of
the verifier's support alone, for a claim beside its passage; next to it stand the share of the claim's words in the
passage and the plain cosine of the two. 95 % intervals by Hanley and McNeil. The verdicts are those after all checks of
a turn. The bar: at most 2 % of the falsehoods of the unseen half come out as supported. Only then a sentence in other
words than its source's is called Verified. Read by: `manage.py evaluate verifier [--with NAME]`.
"""


def _half_as_json(half: MeasuredHalf) -> dict[str, Any]:
    return {
        "auroc": {name: {key: one.as_dict() for key, one in row.items()} for name, row in _groups(half)},
        "verdicts": _table(half),
        "falsehoods_supported": Share.of(one.is_supported for one in half.checked if one.claim.is_false).as_dict(),
    }


def _groups(half: MeasuredHalf) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each row of the AUROC table: its name, and the figure of each measure."""
    yield "overall", {measure: half.auroc(measure) for measure in MEASURES}
    for source in SOURCES:
        if any(claim.source == source for claim in half.handwritten.claims):
            yield source, _measured(half, source=source)
    for kind in sorted({claim.kind for claim in half.handwritten.claims if claim.is_false}):
        yield kind, _measured(half, kind=kind)


def _measured(half: MeasuredHalf, *, source: str = "", kind: str = "") -> dict[str, Any]:
    """Return the AUROC of each measure on the claims of a source, or on the true ones and one kind of false ones."""

    def belongs(claim: HandwrittenClaim) -> bool:
        return (not source or claim.source == source) and (not kind or not claim.is_false or claim.kind == kind)

    return {measure: half.auroc(measure, belongs) for measure in MEASURES}


def _table(half: MeasuredHalf) -> dict[str, dict[str, int]]:
    """Return how often each label, and each kind of it, came to each outcome."""
    counts: dict[str, Counter[str]] = {}
    for one in half.checked:
        for name in (one.claim.label, f"{one.claim.label}: {one.claim.kind}"):
            counts.setdefault(name, Counter())[one.outcome] += 1
    order = sorted(counts, key=lambda name: (LABELS.index(name.partition(":")[0]), name))
    return {name: {outcome: counts[name][outcome] for outcome in OUTCOMES} for name in order}


def _bar_in_words(halves: Halves, stored: str) -> str:
    if UNSEEN not in halves:
        return "The bar is decided on the unseen half, which was not measured."
    half = halves[UNSEEN]
    share = Share.of(one.is_supported for one in half.checked if one.claim.is_false)
    word = "passed" if half.bar.passed else "not passed"
    where = f" Stored in {stored}." if stored else ""
    return f"The bar is **{word}**: of the unseen half's falsehoods {percent(share)} come out as supported.{where}"


def _aurocs(half: MeasuredHalf) -> Iterator[str]:
    yield f"| claims | false | {' | '.join(MEASURES)} |"
    yield "|---|---:|" + "---|" * len(MEASURES)
    for name, row in _groups(half):
        words = name.replace("_", " ")
        figures: Sequence[Any] = list(row.values())
        yield f"| {words} | {figures[0].false} | {' | '.join(map(str, figures))} |"
    yield ""


def _verdicts(half: MeasuredHalf) -> Iterator[str]:
    yield f"| label | {' | '.join(OUTCOMES)} |"
    yield "|---|" + "---:|" * len(OUTCOMES)
    for name, counts in _table(half).items():
        label, _, kind = name.partition(": ")
        row = f"– {kind.replace('_', ' ')}" if kind else f"**{label.replace('_', ' ')}**"
        yield f"| {row} | {' | '.join(str(counts[outcome]) for outcome in OUTCOMES)} |"
    yield ""
