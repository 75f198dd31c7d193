"""Where the points, lines and labels of a chart lie, in its own units; a template draws it.

Every number is text already, so that no locale writes a comma into it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 360, 170
LEFT, RIGHT, TOP, BOTTOM = 40, 12, 12, 26
LABELS = 5  # dates written under a chart, at most
STEPS = (0.05, 0.1, 0.2, 0.5, 1.0)  # what the axis may reach


@dataclass(frozen=True, slots=True)
class ChartValue:
    """A share, 0..1, with its interval, of one span of days; None where nothing was counted."""

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
    """A line across the chart: a bar that something is held to. name: its class."""

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
    """Return the chart of a series over time; a line joins neighbours only, nothing is drawn over what is missing.

    levels: (name, share). The axis begins at 0 and reaches the least of STEPS that holds every value and level; an
    interval that is wider is cut off at the edge.
    """
    most = max([one.value for one in series if one.value is not None] + [level for _, level in levels], default=0.0)
    top = next(step for step in STEPS if most <= step)

    def y(share: float) -> str:
        return f"{HEIGHT - BOTTOM - min(share, top) / top * (HEIGHT - BOTTOM - TOP):.1f}"

    def x(place: int) -> str:
        return f"{LEFT + (place + 0.5) / len(series) * (WIDTH - LEFT - RIGHT):.1f}"

    points, line, joined = [], [], False
    for place, one in enumerate(series):
        if one.value is not None:
            points.append(Point(x(place), y(one.value), y(one.low), y(one.high)))
            line.append(f"{'L' if joined else 'M'}{x(place)} {y(one.value)}")
        joined = one.value is not None
    every = -(-len(series) // LABELS) if series else 1
    shown = [place for place in range(len(series)) if (len(series) - 1 - place) % every == 0]  # the latest always
    return Chart(
        points=tuple(points),
        line=" ".join(line),
        across=tuple(Tick(x(place), series[place].label) for place in shown),
        up=tuple(Tick(y(share), f"{100 * share:g} %") for share in (0.0, top / 2, top)),
        levels=tuple(ChartLine(y(share), name) for name, share in levels),
    )
