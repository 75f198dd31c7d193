"""A curve of two shares as a picture."""

from collections.abc import Sequence

WIDTH, HEIGHT, MARGIN = 480, 300, 44
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def curve_svg(points: Sequence[tuple[float, float]], at: tuple[float, float], labels: tuple[str, str]) -> str:
    """An SVG of points (x, y), both 0..1. at: the point in use, which is marked. labels: of both axes."""

    def place(right: float, up: float) -> str:
        x = MARGIN + right * (WIDTH - 2 * MARGIN)
        return f"{x:.1f},{HEIGHT - MARGIN - up * (HEIGHT - 2 * MARGIN):.1f}"

    line = " ".join(place(*point) for point in points)
    x, y = place(*at).split(",")
    grid = "".join(
        f'<path d="M{place(0, tick)} L{place(1, tick)}" stroke="#8886" fill="none"/>'
        f'<text x="{MARGIN - 6}" y="{float(place(0, tick).split(",")[1]) + 4}" text-anchor="end">{tick:.2f}</text>'
        f'<text x="{place(tick, 0).split(",")[0]}" y="{HEIGHT - MARGIN + 16}" text-anchor="middle">{tick:.2f}</text>'
        for tick in TICKS
    )
    across, along = labels
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        f'font-size="11" fill="#777"><title>{along}, by {across}</title>{grid}'
        f'<polyline points="{line}" fill="none" stroke="#2a78d6" stroke-width="2"/>'
        f'<circle cx="{x}" cy="{y}" r="4" fill="#2a78d6"/>'
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 8}" text-anchor="middle">{across}</text>'
        f'<text x="14" y="{HEIGHT / 2}" text-anchor="middle" transform="rotate(-90 14 {HEIGHT / 2})">{along}</text>'
        "</svg>\n"
    )
