from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from audit.domain.tallies import Count, Span, Tally, TallyKind, monday_of, tallied

DAYS = st.dates(date(2026, 1, 1), date(2026, 3, 31))
COUNTS = st.lists(
    st.builds(Count, DAYS, st.sampled_from(TallyKind), st.sampled_from(["grounded", "refused", ""]), st.integers(0, 99))
)
FIRST = date(2026, 1, 14)  # a Wednesday


@given(COUNTS, DAYS, st.integers(1, 90))
def test_days_and_weeks_of_a_period_sum_up_to_the_whole(counts, last, length):
    span = Span.ending(last, length)
    [(_, whole)] = tallied(counts, [span])
    for parts in (tallied(counts, span.days()), tallied(counts, span.weeks())):
        for kind in TallyKind:
            assert sum(tally.number(kind) for _, tally in parts) == whole.number(kind)


@given(DAYS, st.integers(1, 90))
def test_days_and_weeks_cover_a_period_once(last, length):
    span = Span.ending(last, length)
    for parts in (list(span.days()), list(span.weeks())):
        assert (parts[0].first, parts[-1].last) == (span.first, span.last)
        assert sum((part.last - part.first).days + 1 for part in parts) == length


@given(DAYS)
def test_a_week_begins_with_its_monday(day):
    assert monday_of(day).weekday() == 0
    assert monday_of(day) <= day < monday_of(day) + timedelta(days=7)


def test_weeks_are_those_of_the_calendar_and_the_ends_may_be_short():
    weeks = [(week.first.day, week.last.day) for week in Span(FIRST, date(2026, 1, 27)).weeks()]
    assert weeks == [(14, 18), (19, 25), (26, 27)]


def test_a_day_without_a_count_is_there_and_empty():
    parts = tallied([Count(FIRST, TallyKind.OUTCOME, "grounded", 2)], Span(FIRST, FIRST + timedelta(days=1)).days())
    assert [tally.number(TallyKind.OUTCOME) for _, tally in parts] == [2, 0]


def test_names_come_most_first_and_are_summed_over_kinds():
    tally = Tally.of(
        [
            Count(FIRST, TallyKind.REFUSAL, "thin_evidence", 1),
            Count(FIRST, TallyKind.REFUSAL, "outside_corpus", 2),
            Count(FIRST, TallyKind.DELETED_REFUSAL, "thin_evidence", 4),
        ]
    )
    assert list(tally.by_name(TallyKind.REFUSAL, TallyKind.DELETED_REFUSAL).items()) == [
        ("thin_evidence", 5),
        ("outside_corpus", 2),
    ]
    assert tally.number(TallyKind.REFUSAL, among={"thin_evidence"}) == 1
    assert tally.exactly(TallyKind.OUTCOME, "grounded") == 0
