from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.domain.figures import FIGURES
from audit.domain.tallies import Count, Tally, TallyKind

DAY = date(2026, 1, 14)
BY_NAME = {figure.name: figure for figure in FIGURES}
NAMES = (
    "grounded partially_grounded refused out_of_corpus failed interrupted caught clean cached quoted written unproved "
    "proved supported partial inferred contradicted kept never_minted unknown_card repeated"
).split()
# Of faithfulness the sum is never more than the turns, as each is at most 1.
COUNTS = st.lists(
    st.builds(
        Count,
        st.just(DAY),
        st.sampled_from([kind for kind in TallyKind if kind is not TallyKind.FAITHFULNESS]),
        st.sampled_from(NAMES),
        st.integers(0, 999),
    )
)


def measured(name, *counts):
    figure = BY_NAME[name].measure(Tally.of(Count(DAY, *count) for count in counts))
    return getattr(figure, "hits", None), figure.total


@given(COUNTS, st.integers(0, 50), st.floats(0, 1))
def test_every_figure_is_a_share_within_its_interval(counts, turns, mean):
    faithful = [
        Count(DAY, TallyKind.FAITHFULNESS, "turns", turns),
        Count(DAY, TallyKind.FAITHFULNESS, "sum", turns * mean),
    ]
    tally = Tally.of([*counts, *faithful])
    for figure in FIGURES:
        one = figure.measure(tally)
        low, high = one.interval
        assert 0 <= low <= one.value <= high <= 1, figure.name


def test_of_nothing_every_figure_has_a_total_of_none():
    assert {figure.measure(Tally({})).total for figure in FIGURES} == {0}


def test_greetings_and_stopped_turns_are_no_questions_to_the_sources():
    counts = [
        (TallyKind.OUTCOME, name, 1) for name in ("grounded", "refused", "no_retrieval", "asked_back", "interrupted")
    ]
    assert measured("coverage", *counts) == (1, 2)


def test_deleting_a_refused_turn_makes_coverage_no_better():
    before = [(TallyKind.OUTCOME, "grounded", 3), (TallyKind.OUTCOME, "refused", 2)]
    after = [
        (TallyKind.OUTCOME, "grounded", 3),
        (TallyKind.OUTCOME, "refused", 1),
        (TallyKind.DELETED_OUTCOME, "refused", 1),
    ]
    assert measured("coverage", *before) == measured("coverage", *after) == (3, 5)
    assert measured("refused", *before) == measured("refused", *after) == (2, 5)


def test_a_closest_passage_is_a_question_but_neither_answered_nor_refused():
    counts = [(TallyKind.OUTCOME, name, 1) for name in ("grounded", "closest_passage", "refused")]
    for name in ("coverage", "closest", "refused"):
        assert measured(name, *counts) == (1, 3)


def test_a_repeated_marker_is_no_invented_one():
    counts = [(TallyKind.MARKER, "kept", 6), (TallyKind.DROPPED, "repeated", 3), (TallyKind.DROPPED, "never_minted", 2)]
    assert measured("invented-markers", *counts) == (2, 8)


def test_the_mean_of_faithfulness_is_of_answers():
    figure = BY_NAME["faithfulness"].measure(
        Tally.of([Count(DAY, TallyKind.FAITHFULNESS, "turns", 4), Count(DAY, TallyKind.FAITHFULNESS, "sum", 3.5)])
    )
    assert figure.value == pytest.approx(0.875)
    assert figure.total == 4


def test_no_figure_claims_to_be_the_hallucination_rate():
    assert not any("hallucination" in f"{figure.title} {figure.meaning}".lower() for figure in FIGURES)
