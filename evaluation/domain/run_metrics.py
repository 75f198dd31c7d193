"""Turns the figures of a suite into the metrics of a stored run."""

from collections.abc import Iterator, Mapping
from typing import Any

from audit.domain.metrics import Auroc, Mean, Share
from audit.domain.run_comparison import RunMetric
from evaluation.domain.ranking import BootstrapMean

Figures = Mapping[str, Any]  # shares, means and AUROCs, nested by name; a share may be written as Share.as_dict


def metrics_in(figures: Figures) -> list[RunMetric]:
    """Every share, mean and AUROC, named by its path. Plain counts and texts are left out."""
    return list(_metrics(figures, ()))


def _metrics(figures: Any, path: tuple[str, ...]) -> Iterator[RunMetric]:
    name = " · ".join(part.replace("_", " ") for part in path)
    match figures:
        case Share():
            yield RunMetric(name, figures.value, *figures.interval, figures.hits, figures.total)
        case Mean():
            yield RunMetric(name, figures.value, *figures.interval, None, figures.total)
        case Auroc():
            yield RunMetric(name, figures.value, *figures.interval, None, figures.true + figures.false)
        case BootstrapMean():
            yield RunMetric(name, figures.value, figures.low, figures.high, None, figures.total)
        case {"hits": int(hits), "total": int(total), "rate": rate, "interval": (low, high)}:
            yield RunMetric(name, rate, low, high, hits, total)
        case {"value": value, "interval": (low, high), "true": int(true), "false": int(false)}:
            yield RunMetric(name, value, low, high, None, true + false)
        case Mapping():
            for key, part in figures.items():
                yield from _metrics(part, (*path, str(key)))
