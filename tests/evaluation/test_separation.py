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


def test_the_best_of_every_signal_is_taken_over_the_pool():
    heard = signals_of(IBLIS, "first-steps", FOUND)
    assert heard == QuestionSignals("A", "first-steps", {"similarity": 0.7, "relevance": 2.0, "answerability": 0.1})
    assert signals_of(PENICILLIN, "b1", []).best == dict.fromkeys(SIGNALS, 0.0)


def test_what_no_such_score_decides_is_left_out():
    assert [signals_of(row, "", FOUND) for row in (NAMED, VAGUE, TREE)] == [None] * 3
    assert signals_of(TWIN, "first-steps", FOUND).group == "first-steps"


def test_a_false_twin_is_of_its_twins_lecture_and_a_row_of_no_lecture_of_its_own():
    assert groups_of([TWIN, PENICILLIN, IBLIS, TREE]) == ["first-steps", PENICILLIN["id"], "first-steps", "first-steps"]


def test_questions_that_are_parted_wholly_are_answered_and_refused_so():
    both = [*asked("A", 20, 0.9), *asked("B", 20, 0.1), *asked("C", 20, 0.5)]
    over = dict(zip((one.group for one in both), passed(both, "similarity"), strict=True))
    assert all(over[f"A{n}"] for n in range(20))
    assert not any(over[f"B{n}"] for n in range(20))
    page = "\n".join(separation_lines(both))
    assert "| best cosine | 1.000 | 1.000 | 20/20" in page


def test_the_reference_scales_bars_are_shown_as_though_they_were_cosines():
    page = "\n".join(separation_lines([*asked("A", 20, 0.6), *asked("B", 20, 0.1), *asked("C", 20, 0.7)]))
    assert "| without calibration: cosine ≥ 0.55 | – | – | 20/20 = 1.00" in page
    assert "| without calibration: cosine ≥ 0.65 | – | – | 0/20 = 0.00" in page


def test_a_bar_is_set_on_other_groups_than_it_is_used_on():
    one_group = [QuestionSignals("B", "g", dict.fromkeys(SIGNALS, 0.8)) for _ in range(10)]
    others = [*asked("B", FOLDS * 4, 0.1), *asked("A", FOLDS * 4, 0.5)]
    over = passed([*one_group, *others], "similarity")
    assert all(over[:10]), "the bar of the part that holds them does not know them"


def test_the_golden_section_says_which_score_parts_what(golden):
    call_command("evaluate", "golden", stdout=StringIO(), stderr=StringIO())
    page = (golden / "golden.md").read_text()
    assert "parts the 2 answerable questions of A (no addresses) from the 1 of B (none underspecified)" in page
    assert "and from the 1 false twins of C" in page
    assert "| near-miss, true | 1/1 = 1.00" in page
    assert "| best cosine | " in page
