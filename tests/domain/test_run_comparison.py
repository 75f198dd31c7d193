from hypothesis import given
from hypothesis import strategies as st

from audit.domain.metrics import Share
from audit.domain.run_comparison import (
    AskedQuestion,
    RunMetric,
    RunTerms,
    metric_changes,
    objections,
    question_changes,
)


def metric(name, hits, total):
    share = Share(hits, total)
    return RunMetric(name, share.value, *share.interval, hits, total)


def asked(key, good, outcome="grounded"):
    return AskedQuestion(key, outcome, good)


def terms(suite="natural", corpus="8 lectures", ended=True, **options):
    return RunTerms(suite, corpus, options, ended)


def test_questions_are_sorted_into_better_worse_and_otherwise_changed():
    before = [
        asked("a", True),
        asked("b", False, "refused"),
        asked("c", True),
        asked("d", False, "refused"),
        asked("e", True),
    ]
    after = [
        asked("a", False, "refused"),
        asked("b", True),
        asked("c", True),
        asked("d", False, "failed"),
        asked("f", True),
    ]
    changes = question_changes(before, after)
    assert [change.question.id for change in changes.worse] == ["a"]
    assert [change.question.id for change in changes.better] == ["b"]
    assert [(change.before, change.after) for change in changes.other] == [("refused", "failed")]
    assert (changes.in_both, changes.only_before, changes.only_after) == (4, 1, 1)
    assert changes.chance == 1.0


def test_ten_questions_that_all_got_worse_are_no_chance():
    changes = question_changes([asked(str(n), True) for n in range(10)], [asked(str(n), False) for n in range(10)])
    assert round(changes.chance, 4) == 0.002


def test_a_difference_is_clear_only_where_its_interval_leaves_out_zero():
    large, small = metric_changes(
        [metric("x", 50, 100), metric("y", 50, 100)], [metric("x", 80, 100), metric("y", 52, 100)]
    )
    assert large.is_clear
    assert not small.is_clear


def test_a_difference_of_two_shares_has_the_interval_of_newcombes_example():
    # Newcombe 1998, table II, (a): 56/70 against 48/80, method 10: 0.0524 to 0.3339
    [found] = metric_changes([metric("x", 48, 80)], [metric("x", 56, 70)])
    assert tuple(round(end, 4) for end in found.interval) == (0.0524, 0.3339)


def test_a_metric_of_one_run_or_of_nothing_has_no_difference():
    found = {
        change.name: change
        for change in metric_changes([metric("a", 1, 2), metric("c", 0, 0)], [metric("b", 1, 2), metric("c", 1, 1)])
    }
    assert found["a"].after is None
    assert found["b"].before is None
    assert [found[name].change for name in "abc"] == [None, None, None]


def test_other_suites_corpora_options_and_unfinished_runs_are_objected_to():
    assert objections(terms(), terms()) == []
    assert "different suites" in objections(terms(), terms("golden"))[0]
    assert "corpora differ" in objections(terms(), terms(corpus="9 lectures"))[0]
    assert objections(terms(mode="auto"), terms(mode="thinking", half="dev")) == [
        "The options differ: half unset → dev, mode auto → thinking."
    ]
    assert "second run was cut off" in objections(terms(), terms(ended=False))[0]


@given(
    st.lists(st.tuples(st.sampled_from("abcdef"), st.booleans())),
    st.lists(st.tuples(st.sampled_from("abcdef"), st.booleans())),
)
def test_every_question_of_both_runs_is_counted_once(first, second):
    before, after = ([asked(key, good) for key, good in dict(rows).items()] for rows in (first, second))
    changes = question_changes(before, after)
    assert changes.in_both + changes.only_before == len(before)
    assert changes.in_both + changes.only_after == len(after)
    assert 0 <= changes.chance <= 1
