import pytest

from audit.domain.figures import FIGURES
from audit.domain.tallies import Span, Tally, TallyKind
from audit.rollups.services import counts_refresh
from audit.selectors import caught_turns, latencies, report_counts
from tests.audit.recorded import TODAY, a_few_days, recorded, sentence, shown

pytestmark = pytest.mark.django_db
WEEK = Span.ending(TODAY, 7)


def measured(mode=""):
    counts_refresh()
    tally = Tally.of(report_counts(WEEK, mode))
    found = {figure.name: figure.measure(tally) for figure in FIGURES}
    return {
        name: (round(getattr(measure, "hits", getattr(measure, "sum", None)), 4), measure.total)
        for name, measure in found.items()
    }


def test_figures_match_a_count_by_hand():
    a_few_days()
    assert measured() == {
        "coverage": (6, 12),  # 5 of 9 recorded, 1 of 3 deleted
        "closest": (0, 12),
        "refused": (4, 12),
        "caught-turns": (3, 4),
        "caught-sentences": (3, 8),
        "shown-unproved": (1, 5),
        "faithfulness": (1.6667, 3),
        "proved": (4, 9),
        "partial": (1, 5),
        "inferred": (1, 5),
        "invented-markers": (1, 9),
        "cached": (1, 5),
        "quoted": (1, 5),
    }


def test_cached_answers_are_not_counted_twice():
    a_few_days()
    counts_refresh()
    tally = Tally.of(report_counts(WEEK))
    assert tally.by_name(TallyKind.OUTCOME) == {
        "grounded": 4, "refused": 2, "failed": 1, "interrupted": 1, "no_retrieval": 1, "out_of_corpus": 1,
        "partially_grounded": 1,
    }  # fmt: skip
    assert tally.by_name(TallyKind.REFUSAL) == {"outside_corpus": 1, "unsupported_claims": 1}
    assert tally.by_name(TallyKind.DELETED_REFUSAL) == {"outside_corpus": 2}
    assert tally.by_name(TallyKind.DROPPED) == {"never_minted": 1, "repeated": 1}
    assert tally.by_name(TallyKind.WITHHELD) == {"SNIPPET_MISMATCH": 1, "repeated": 1, "unsupported_claims": 1}


def test_closest_passages_are_neither_answers_nor_refusals():
    recorded()
    recorded("closest_passage", reason="unanswerable", sentences=shown("supported", quoted=True))
    figures = measured()
    assert (figures["coverage"], figures["closest"], figures["refused"]) == ((1, 2), (1, 2), (0, 2))
    assert figures["quoted"][1] == 1
    tally = Tally.of(report_counts(WEEK))
    assert (tally.by_name(TallyKind.OUTCOME)["closest_passage"], tally.by_name(TallyKind.REFUSAL)) == (1, {})


def test_a_mode_is_counted_by_itself():
    a_few_days()
    thinking = measured("thinking")
    assert thinking["coverage"] == (1, 1)
    assert thinking["caught-sentences"] == (0, 2)
    assert thinking["faithfulness"] == (1.0, 1)
    assert measured("instant")["coverage"] == (0, 0)


def test_latency_of_cached_answers_is_separate():
    a_few_days()
    counts_refresh()
    stages = {latency.stage: latency[1:] for latency in latencies(WEEK)}
    assert stages == {"plan": (3, 20, 30), "total": (3, 200, 300), "again_total": (1, 5, 5)}


def test_turns_to_look_at_have_a_caught_sentence():
    a_few_days()
    counts_refresh()
    assert [(turn.outcome, turn.at.day) for turn in caught_turns(WEEK)] == [
        ("grounded", 14),
        ("partially_grounded", 13),
        ("refused", 8),
    ]
    assert len(caught_turns(WEEK, most=2)) == 2


def test_an_echo_of_the_question_is_not_caught():
    recorded(writing=[{"sentences": [sentence("unsupported", "echo")]}])
    counts_refresh()
    assert caught_turns(WEEK) == []
    assert measured()["caught-turns"] == (0, 1)


@pytest.mark.parametrize("trace", [{}, {"writing": "x", "sentences": 3, "withheld": None}, {"writing": [[{"a": 1}]]}])
def test_a_malformed_trace_is_ignored(trace):
    recorded(**trace)
    assert measured()["coverage"] == (1, 1)
    assert measured()["caught-turns"] == (0, 0)


def test_more_turns_need_no_more_queries(django_assert_num_queries):
    a_few_days()
    counts_refresh()
    for _ in range(2):
        with django_assert_num_queries(5):
            report_counts(WEEK)
            latencies(WEEK)
            caught_turns(WEEK)
        recorded(writing=[{"sentences": [sentence("unsupported", "uncited")]}])
        counts_refresh()
