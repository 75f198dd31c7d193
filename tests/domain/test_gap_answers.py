import pytest

from corpus.domain.text.folding import fold
from curation.domain.gap_answers import GapPinRules, answers_gap, likely_references, other_wordings


def test_each_wording_is_taken_once_and_the_question_itself_is_not():
    asked = ["Who built it?", "who built IT", "Who made it? ", "who made it", "Builder?", "?"]
    assert other_wordings("Who built it?", asked, fold, GapPinRules()) == ["Who made it?", "Builder?"]
    assert other_wordings("Who built it?", asked, fold, GapPinRules(phrasings=1)) == ["Who made it?"]


def test_addresses_near_to_more_questions_come_first():
    assert likely_references([(["A:1", "A:2"], 1), (["A:2"], 2), (["A:3", "A:1"], 1)]) == ["A:2", "A:1", "A:3"]
    assert likely_references([]) == []


@pytest.mark.parametrize(
    ("kind", "outcome", "cites_pin", "answered"),
    [
        ("refused", "grounded", False, True),
        ("refused", "partially_grounded", True, True),
        ("refused", "closest_passage", True, False),
        ("refused", "refused", False, False),
        ("sentence", "grounded", False, False),
        ("sentence", "grounded", True, True),
        ("feedback", "grounded", False, False),
        ("feedback", "partially_grounded", True, True),
    ],
)
def test_a_question_that_had_an_answer_before_must_cite_the_pin(kind, outcome, cites_pin, answered):
    assert answers_gap(kind, outcome, cites_pin=cites_pin) is answered
