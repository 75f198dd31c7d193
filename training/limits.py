"""Derives the model's weaknesses from the measured figures, for the report and the model card."""

from collections.abc import Iterator, Sequence
from typing import Any

Result = dict[str, Any]
WIDE = "rows not trained on"  # the macro that sets are compared with
DESTROYING = ("words reversed", "one entity swapped")  # the other changes keep the meaning


def limits(found: Result) -> list[str]:
    """A sentence for each weakness, from the figures of `evaluate`."""
    return [*grounding_limits(found["grounding"]), *robustness_limits(found["robustness"])]


def grounding_limits(found: Result) -> Iterator[str]:
    """Sets below the macro, and sets that a baseline separates better, the worst first."""
    mean = _value(found["macros"][WIDE], "auroc")
    below = sorted((row for row in found["sets"] if _value(row, "auroc") < mean), key=lambda row: _value(row, "auroc"))
    if below:
        yield f"Grounding is below its macro over {WIDE} ({mean:.3f}) on {_named(below, 'auroc')}."
    for key, name in {"overlap_auroc": "Token overlap", "cosine_auroc": "Embedder cosine"}.items():
        better = [row for row in found["sets"] if _value(row, key) > _value(row, "auroc")]
        if better:
            yield f"{name} separates true from false better than the model on {_named(better, key, 'auroc')}."


def robustness_limits(found: Result) -> Iterator[str]:
    """Changes of meaning that keep the verdict, and other changes that move support by more than 0.1."""
    for name in DESTROYING:
        lost, guarded = (row["no_longer_supported"] for row in (found[name], found[name]["guarded"]))
        if lost["rows"] and lost["value"] < 1:
            yield (
                f"True claims with {name}: {1 - lost['value']:.0%} of the {lost['rows']} supported ones stay "
                f"supported, although the meaning is lost; mean move {found[name]['mean_move']['value']:+.3f}. "
                f"With the guards: {1 - guarded['value']:.0%} of {guarded['rows']}."
            )
    for name, row in found.items():
        moved, with_guards = (1 - figures["within_0.1"]["value"] for figures in (row, row["guarded"]))
        if name not in DESTROYING and max(moved, with_guards) > 0:
            yield (
                f"True claims written with {name}: support moves by more than 0.1 in {moved:.0%} of {row['rows']}; "
                f"with the guards in {with_guards:.0%}."
            )


def _named(rows: Sequence[Result], *keys: str) -> str:
    return ", ".join(f"{row['set']} ({' against '.join(f'{_value(row, key):.3f}' for key in keys)})" for row in rows)


def _value(row: Result, key: str) -> float:
    return float(row[key]["value"])
