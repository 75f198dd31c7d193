"""Results of the hand-written claims, as JSON and for docs/results/escape.md. Pure functions."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from audit.domain.metrics import Share, percent
from evaluation.escape.handwritten.checking import CheckedHandwritten
from evaluation.escape.handwritten.claims import SOURCES, UNSEEN
from lectorium.providers.handwritten_bar import MOST_VERIFIED_FALSE
from lectorium.report_table import table

Checked = Sequence[CheckedHandwritten]
MOST_FALSE_SHOWN, MOST_TRUE_WITHHELD = 0.10, 0.10  # shared/design/reading-model.md
NAMES = {"dev": "development half", UNSEEN: "unseen half"}
GOALS = {
    "false_verified": ("falsehoods shown as verified", MOST_VERIFIED_FALSE),
    "false_supported": ("falsehoods shown as supported, verified or not", None),
    "false_shown": ("falsehoods shown at all", MOST_FALSE_SHOWN),
    "true_withheld": ("true sentences withheld", MOST_TRUE_WITHHELD),
    "true_verified": ("true sentences shown as verified", None),
    "true_supported": ("true sentences shown as supported, verified or not", None),
}


def shares(checked: Iterable[CheckedHandwritten]) -> dict[str, Share]:
    """The shares of GOALS, of all false claims or of all true ones."""
    claims = list(checked)
    false = [claim for claim in claims if claim.claim.is_false]
    true = [claim for claim in claims if not claim.claim.is_false]
    return {
        "false_verified": Share.of(claim.is_verified for claim in false),
        "false_supported": Share.of(claim.is_supported for claim in false),
        "false_shown": Share.of(claim.is_shown for claim in false),
        "true_withheld": Share.of(not claim.is_shown for claim in true),
        "true_verified": Share.of(claim.is_verified for claim in true),
        "true_supported": Share.of(claim.is_supported for claim in true),
    }


def by_group(checked: Checked, group_of: Callable[[CheckedHandwritten], str]) -> dict[str, list[CheckedHandwritten]]:
    """Groups in alphabetical order."""
    groups: dict[str, list[CheckedHandwritten]] = {name: [] for name in sorted(map(group_of, checked))}
    for claim in checked:
        groups[group_of(claim)].append(claim)
    return groups


def as_json(halves: Mapping[str, Checked]) -> dict[str, Any]:
    """Every share of each half: overall, by kind and by source."""
    return {name: _half_as_json(checked) for name, checked in halves.items()}


def section(halves: Mapping[str, Checked], verifier: str, *, passed_bar: bool) -> list[str]:
    """The first part of docs/results/escape.md."""
    bar = "has passed" if passed_bar else "has not passed"
    lines = [
        "### Claims written by hand",
        "",
        "Each claim is a written sentence that cites its passage, and goes through the gauntlet and every check of a "
        f"turn. Verifier: {verifier}, which {bar} the hand-written bar. The authors had read neither the guards nor "
        "the training code. *Shown as verified*: labelled Verified or Quoted. *Supported*: the same, or Checked, in "
        "other words. Guards and thresholds may be tuned on the development half; the unseen half is only measured. "
        "Shares with 95 % Wilson intervals. Regenerate: `manage.py evaluate escape`.",
        "",
        *table(("measure", "at most", *(NAMES[name] for name in halves)), _overall(halves)),
    ]
    for name, checked in halves.items():
        lines += [f"#### {NAMES[name].capitalize()}, by kind and by source", "", *_groups(checked)]
    return lines


def _half_as_json(checked: Checked) -> dict[str, Any]:
    groups = {
        "by_kind": by_group(checked, lambda checked: checked.claim.kind),
        "by_source": by_group(checked, lambda checked: checked.claim.source),
    }
    return {
        **_shares_as_json(checked),
        **{name: {key: _shares_as_json(own) for key, own in found.items()} for name, found in groups.items()},
    }


def _shares_as_json(checked: Checked) -> dict[str, Any]:
    return {name: share.as_dict() for name, share in shares(checked).items() if share.total}


def _overall(halves: Mapping[str, Checked]) -> Iterator[tuple[str, ...]]:
    measured = [shares(checked) for checked in halves.values()]
    for key, (words, most) in GOALS.items():
        cells = [f"{percent(found[key])}{_met(found[key], most)}" for found in measured]
        yield words, "–" if most is None else f"{100 * most:.0f} %", *cells


def _met(share: Share, most: float | None) -> str:
    return " – missed" if most is not None and share.value > most else ""


def _groups(checked: Checked) -> Iterator[str]:
    false = [claim for claim in checked if claim.claim.is_false]
    true = [claim for claim in checked if not claim.claim.is_false]
    yield from table(
        ("falsehoods", "shown as verified", "supported", "shown at all"),
        _rows(false, ("false_verified", "false_supported", "false_shown")),
    )
    yield from table(
        ("true sentences", "shown as verified", "supported", "withheld"),
        _rows(true, ("true_verified", "true_supported", "true_withheld")),
    )


def _rows(checked: Checked, keys: Sequence[str]) -> Iterator[tuple[str, ...]]:
    kinds = by_group(checked, lambda claim: claim.claim.kind)
    sources = by_group(checked, lambda claim: claim.claim.source)
    groups = {kind.replace("_", " "): own for kind, own in kinds.items()}
    groups |= {f"*{source}*": sources[source] for source in SOURCES if source in sources}
    for name, own in groups.items():
        found = shares(own)
        yield name, *(percent(found[key]) for key in keys)
