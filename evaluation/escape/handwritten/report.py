"""What became of the hand-written claims: shares with intervals, as JSON and for docs/results/escape.md. Pure."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from audit.domain.metrics import Share, percent
from evaluation.escape.handwritten.checking import CheckedHandwritten
from evaluation.escape.handwritten.claims import SOURCES, UNSEEN
from lectorium.providers.handwritten_bar import MOST_VERIFIED_FALSE

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
    """Return the six shares of GOALS; those of falsehoods are of the false claims, those of true ones of the true."""
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
    """Group what was checked, the groups in alphabetical order."""
    names = sorted({group_of(one) for one in checked})
    return {name: [one for one in checked if group_of(one) == name] for name in names}


def as_json(halves: Mapping[str, Checked]) -> dict[str, Any]:
    """Return every share of each half: overall, by kind and by source."""
    return {name: _half_as_json(checked) for name, checked in halves.items()}


def section(halves: Mapping[str, Checked], verifier: str, *, passed_bar: bool) -> str:
    """Return the first part of docs/results/escape.md."""
    bar = "has passed" if passed_bar else "has not passed"
    lines = [
        "### Claims written by hand",
        "",
        "Each claim as a written sentence that cites its passage, through the gauntlet and every check of a turn; "
        f"verifier: {verifier}, which {bar} the hand-written bar. The authors had read neither the guards nor the "
        "training code. *Shown as verified*: with the word Verified or Quoted. *Supported*: so, or as Checked, in "
        "other words. Guards and thresholds may be tuned on the development half; nobody who tunes reads the unseen "
        "half. Shares with 95 % Wilson intervals. Read by: `manage.py evaluate escape`.",
        "",
        *_overall(halves),
    ]
    for name, checked in halves.items():
        lines += [f"#### {NAMES[name].capitalize()}, by kind and by source", "", *_groups(checked)]
    return "\n".join(lines) + "\n"


def _half_as_json(checked: Checked) -> dict[str, Any]:
    groups = {
        "by_kind": by_group(checked, lambda one: one.claim.kind),
        "by_source": by_group(checked, lambda one: one.claim.source),
    }
    return {
        **_shares_as_json(checked),
        **{name: {key: _shares_as_json(own) for key, own in found.items()} for name, found in groups.items()},
    }


def _shares_as_json(checked: Checked) -> dict[str, Any]:
    return {name: share.as_dict() for name, share in shares(checked).items() if share.total}


def _overall(halves: Mapping[str, Checked]) -> Iterator[str]:
    yield f"| measure | at most | {' | '.join(NAMES[name] for name in halves)} |"
    yield "|---|---|" + "---|" * len(halves)
    measured = [shares(checked) for checked in halves.values()]
    for key, (words, most) in GOALS.items():
        cells = [f"{percent(found[key])}{_met(found[key], most)}" for found in measured]
        yield f"| {words} | {'–' if most is None else f'{100 * most:.0f} %'} | {' | '.join(cells)} |"
    yield ""


def _met(share: Share, most: float | None) -> str:
    return " – missed" if most is not None and share.value > most else ""


def _groups(checked: Checked) -> Iterator[str]:
    false = [one for one in checked if one.claim.is_false]
    true = [one for one in checked if not one.claim.is_false]
    yield "| falsehoods | shown as verified | supported | shown at all |"
    yield "|---|---|---|---|"
    for name, own in _rows(false):
        found = shares(own)
        cells = (percent(found[key]) for key in ("false_verified", "false_supported", "false_shown"))
        yield f"| {name} | {' | '.join(cells)} |"
    yield ""
    yield "| true sentences | shown as verified | supported | withheld |"
    yield "|---|---|---|---|"
    for name, own in _rows(true):
        found = shares(own)
        cells = (percent(found[key]) for key in ("true_verified", "true_supported", "true_withheld"))
        yield f"| {name} | {' | '.join(cells)} |"
    yield ""


def _rows(checked: Checked) -> Iterator[tuple[str, list[CheckedHandwritten]]]:
    for kind, own in by_group(checked, lambda one: one.claim.kind).items():
        yield kind.replace("_", " "), own
    for source in SOURCES:
        own = [one for one in checked if one.claim.source == source]
        if own:
            yield f"*{source}*", own
