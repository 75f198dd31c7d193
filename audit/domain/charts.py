"""Lays out a line chart in SVG units; templates/audit/_chart.html draws it.

Coordinates are strings, so that no locale puts a comma into them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 360, 170
LEFT, RIGHT, TOP, BOTTOM = 40, 12, 12, 26
LABELS = 5  # most dates under a chart
STEPS = (0.05, 0.1, 0.2, 0.5, 1.0)  # possible tops of the axis


@dataclass(frozen=True, slots=True)
class ChartValue:
    """A share, 0..1, with its interval for one span of days; None if nothing was counted."""

    label: str
    value: float | None
    low: float = 0.0
    high: float = 1.0


@dataclass(frozen=True, slots=True)
class Point:
    x: str
    y: str
    low: str
    high: str


@dataclass(frozen=True, slots=True)
class Tick:
    at: str
    label: str


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A horizontal line at a threshold. name: its CSS class."""

    y: str
    name: str


@dataclass(frozen=True, slots=True)
class Chart:
    points: tuple[Point, ...]
    line: str
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    levels: tuple[ChartLine, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


def chart(series: Sequence[ChartValue], levels: Sequence[tuple[str, float]] = ()) -> Chart:
    """The chart of a series over time. The line has a gap where a value is missing.

    levels: (name, share). The axis runs from 0 to the lowest of STEPS that holds every value and level; a wider
    interval is cut off.
    """
    values = [point.value for point in series if point.value is not None]
    most = max(values + [level for _, level in levels], default=0.0)
    top = next(step for step in STEPS if most <= step)

    def y(share: float) -> str:
        return f"{HEIGHT - BOTTOM - min(share, top) / top * (HEIGHT - BOTTOM - TOP):.1f}"

    def x(place: int) -> str:
        return f"{LEFT + (place + 0.5) / len(series) * (WIDTH - LEFT - RIGHT):.1f}"

    points, line, joined = [], [], False
    for place, point in enumerate(series):
        if point.value is not None:
            points.append(Point(x(place), y(point.value), y(point.low), y(point.high)))
            line.append(f"{'L' if joined else 'M'}{x(place)} {y(point.value)}")
        joined = point.value is not None
    every = -(-len(series) // LABELS) if series else 1
    labelled = [place for place in range(len(series)) if (len(series) - 1 - place) % every == 0]  # always the latest
    return Chart(
        points=tuple(points),
        line=" ".join(line),
        across=tuple(Tick(x(place), series[place].label) for place in labelled),
        up=tuple(Tick(y(share), f"{100 * share:g} %") for share in (0.0, top / 2, top)),
        levels=tuple(ChartLine(y(share), name) for name, share in levels),
    )
