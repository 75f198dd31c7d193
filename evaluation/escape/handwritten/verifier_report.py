"""Results of a verifier on the hand-written claims, as JSON and for docs/results/verifier.md. Pure functions."""

from collections.abc import Iterator, Mapping
from typing import Any

from audit.domain.metrics import percent
from evaluation.escape.handwritten.checking import verdict_counts, verdict_table
from evaluation.escape.handwritten.claims import LABELS, SOURCES, UNSEEN, HandwrittenClaim
from evaluation.escape.handwritten.measured_halves import MEASURES, MeasuredHalf
from evaluation.escape.handwritten.report import NAMES
from lectorium.providers.handwritten_bar import MOST_VERIFIED_FALSE
from lectorium.report_table import table

Halves = Mapping[str, MeasuredHalf]


def as_json(halves: Halves, verifier: str, stored: str) -> dict[str, Any]:
    """Every figure; "bar" is None if the unseen half was not measured. stored: where the bar was stored."""
    bar = halves[UNSEEN].bar if UNSEEN in halves else None
    return {
        "verifier": verifier,
        "bar": bar and {**bar.as_dict(), "most": MOST_VERIFIED_FALSE, "stored": stored},
        **{name: _half_as_json(half) for name, half in halves.items()},
    }


def part(halves: Halves, stored: str) -> list[str]:
    """One verifier's part of docs/results/verifier.md."""
    lines = [_bar_in_words(halves, stored), ""]
    for name, half in halves.items():
        lines += [f"AUROC, {NAMES[name]} (claims of a kind against all true sentences):", ""]
        lines += table(("claims", "false", *MEASURES), _auroc_rows(half), right=("false",))
        lines += [
            f"A reader is shown {percent(half.falsehoods_shown)} of the falsehoods, and "
            f"{percent(half.truths_withheld)} of the true sentences are withheld. "
            f"Verdicts after all checks, {NAMES[name]}:",
            "",
            *verdict_table(verdict_counts(half.checked, LABELS)),
        ]
    return lines


HEAD = """## Verifiers on claims written by hand

The claims of the escape test, written by authors who had read neither the guards nor the training code. The AUROC is
that of the verifier's support alone, for a claim and its passage; the next columns are the share of the claim's words
in the passage and the cosine of the two. 95 % intervals by Hanley and McNeil. The verdicts are those after all checks
of a turn. The bar: at most 2 % of the falsehoods of the unseen half are judged as supported. Only a verifier that
passes it may label a sentence Verified that is not in its source's words. Regenerate: `manage.py evaluate verifier
[--with NAME]`.
"""


def _half_as_json(half: MeasuredHalf) -> dict[str, Any]:
    return {
        "auroc": {name: {measure: auroc.as_dict() for measure, auroc in row.items()} for name, row in _groups(half)},
        "verdicts": verdict_counts(half.checked, LABELS),
        "falsehoods_supported": half.falsehoods_supported.as_dict(),
    }


def _groups(half: MeasuredHalf) -> Iterator[tuple[str, dict[str, Any]]]:
    """(name, AUROC by measure) of each group of claims."""
    yield "overall", {measure: half.auroc(measure) for measure in MEASURES}
    for source in SOURCES:
        if any(claim.source == source for claim in half.handwritten.claims):
            yield source, _measured(half, source=source)
    for kind in sorted({claim.kind for claim in half.handwritten.claims if claim.is_false}):
        yield kind, _measured(half, kind=kind)


def _measured(half: MeasuredHalf, *, source: str = "", kind: str = "") -> dict[str, Any]:
    """AUROC by measure over the claims of a source, or over true claims and one kind of false ones."""

    def belongs(claim: HandwrittenClaim) -> bool:
        return (not source or claim.source == source) and (not kind or not claim.is_false or claim.kind == kind)

    return {measure: half.auroc(measure, belongs) for measure in MEASURES}


def _bar_in_words(halves: Halves, stored: str) -> str:
    if UNSEEN not in halves:
        return "The bar is decided on the unseen half, which was not measured."
    half = halves[UNSEEN]
    word = "passed" if half.bar.passed else "not passed"
    where = f" Stored in {stored}." if stored else ""
    share = percent(half.falsehoods_supported)
    return f"The bar is **{word}**: of the unseen half's falsehoods {share} are judged as supported.{where}"


def _auroc_rows(half: MeasuredHalf) -> Iterator[tuple[object, ...]]:
    for name, row in _groups(half):
        figures = list(row.values())
        yield name.replace("_", " "), figures[0].false, *figures
