from hypothesis import given
from hypothesis import strategies as st

from audit.domain.charts import BOTTOM, HEIGHT, LABELS, LEFT, RIGHT, TOP, WIDTH, ChartValue, chart

SHARES = st.floats(0, 1)


@st.composite
def measured(draw):
    low, value, high = sorted(draw(st.tuples(SHARES, SHARES, SHARES)))
    return draw(st.sampled_from([ChartValue("5 Jan", value, low, high), ChartValue("5 Jan", None)]))


@given(st.lists(measured(), max_size=90), st.lists(st.tuples(st.just("alert"), SHARES), max_size=2))
def test_whatever_is_measured_is_drawn_within_its_frame(series, levels):
    drawn = chart(series, levels)
    assert len(drawn.points) == sum(value.value is not None for value in series)
    for point in drawn.points:
        assert LEFT <= float(point.x) <= WIDTH - RIGHT
        for y in (point.y, point.low, point.high):
            assert TOP <= float(y) <= HEIGHT - BOTTOM
        assert float(point.high) <= float(point.y) <= float(point.low)
    assert len(drawn.across) <= LABELS
    assert all(TOP <= float(level.y) <= HEIGHT - BOTTOM for level in drawn.levels)


def test_no_line_is_drawn_over_days_without_a_count():
    drawn = chart([ChartValue("1", 0.5), ChartValue("2", 0.6), ChartValue("3", None), ChartValue("4", 0.5)])
    assert [part[0] for part in drawn.line.replace(" ", "").replace("M", " M").replace("L", " L").split()] == list(
        "MLM"
    )


def test_a_small_share_has_an_axis_of_its_own_size():
    assert [tick.label for tick in chart([ChartValue("1", 0.03)]).up] == ["0 %", "2.5 %", "5 %"]
    assert [tick.label for tick in chart([ChartValue("1", 0.03)], [("healthy", 0.85)]).up] == ["0 %", "50 %", "100 %"]


def test_the_latest_day_always_has_its_label():
    drawn = chart([ChartValue(str(n), 0.5) for n in range(13)])
    assert drawn.across[-1].label == "12"
