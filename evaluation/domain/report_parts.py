"""What limits a measurement, in one sentence that is read off its own run."""

from collections.abc import Mapping

from audit.domain.metrics import Share


def limit_of(what: str, counts: Mapping[str, int]) -> str:
    """Return which group has most of what went wrong, and its share of it. what: of several, "falsehoods seen"."""
    total = sum(counts.values())
    if not total:
        return f"no {what}"
    worst = max(counts, key=lambda name: counts[name])
    return f"of the {total} {what}, most are of “{worst}”: {Share(counts[worst], total)}"


def limits(*parts: str) -> str:
    """Return the sentence."""
    return f"What limits it: {'; '.join(parts)}."
