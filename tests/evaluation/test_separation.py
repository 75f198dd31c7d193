from io import StringIO

from django.core.management import call_command

from evaluation.golden import groups_of
from evaluation.separation import FOLDS, SIGNALS, QuestionSignals, passed, separation_lines, signals_of
from tests.evaluation.golden_rows import IBLIS, NAMED, PENICILLIN, TREE, TWIN, VAGUE

FOUND = [
    {"similarity": 0.4, "relevance": 2.0, "answerability": None},
    {"similarity": 0.7, "relevance": None, "answerability": 0.1},
]


def asked(section, number, score):
    return [QuestionSignals(section, f"{section}{n}", dict.fromkeys(SIGNALS, score + n / 1000)) for n in range(number)]


def test_the_best_value_of_each_signal_is_taken():
    heard = signals_of(IBLIS, "first-steps", FOUND)
    assert heard == QuestionSignals("A", "first-steps", {"similarity": 0.7, "relevance": 2.0, "answerability": 0.1})
    assert signals_of(PENICILLIN, "b1", []).best == dict.fromkeys(SIGNALS, 0.0)


def test_addresses_and_underspecified_questions_are_left_out():
    assert [signals_of(row, "", FOUND) for row in (NAMED, VAGUE, TREE)] == [None] * 3
    assert signals_of(TWIN, "first-steps", FOUND).group == "first-steps"


def test_false_twins_share_their_twins_group():
    assert groups_of([TWIN, PENICILLIN, IBLIS, TREE]) == ["first-steps", PENICILLIN["id"], "first-steps", "first-steps"]


def test_perfectly_separated_questions_are_answered_and_refused():
    both = [*asked("A", 20, 0.9), *asked("B", 20, 0.1), *asked("C", 20, 0.5)]
    over = dict(zip((signals.group for signals in both), passed(both, "similarity"), strict=True))
    assert all(over[f"A{n}"] for n in range(20))
    assert not any(over[f"B{n}"] for n in range(20))
    page = "\n".join(separation_lines(both))
    assert "| best cosine | 1.000 | 1.000 | 20/20" in page


def test_reference_values_are_reported_as_cosine_thresholds():
    page = "\n".join(separation_lines([*asked("A", 20, 0.6), *asked("B", 20, 0.1), *asked("C", 20, 0.7)]))
    assert "| without calibration: cosine ≥ 0.55 | – | – | 20/20 = 1.00" in page
    assert "| without calibration: cosine ≥ 0.65 | – | – | 0/20 = 0.00" in page


def test_thresholds_are_set_on_other_folds():
    one_group = [QuestionSignals("B", "g", dict.fromkeys(SIGNALS, 0.8)) for _ in range(10)]
    others = [*asked("B", FOLDS * 4, 0.1), *asked("A", FOLDS * 4, 0.5)]
    over = passed([*one_group, *others], "similarity")
    assert all(over[:10]), "the bar of the part that holds them does not know them"


def test_the_golden_page_reports_separation(golden):
    call_command("evaluate", "golden", stdout=StringIO(), stderr=StringIO())
    page = (golden / "golden.md").read_text()
    assert "separates the 2 answerable questions of A (no addresses) from the 1 of B (none underspecified)" in page
    assert "and from the 1 false twins of C" in page
    assert "| near-miss, true | 1/1 = 1.00" in page
    assert "| best cosine | " in page
