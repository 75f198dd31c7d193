import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.language import lexemes
from curation.domain.sameness import (
    MatchRule,
    has_same_words,
    objection_to,
    says_trigger,
    signs_of,
)

WEIGHTS = {"same": 1.0, "same_mean": 0.5, "objected": -2.0}
RULE = MatchRule(WEIGHTS, -1.0, {"1": 0.9, "3": 0.8, "6": 0.7}, 0.3, 0.6, 0.6, 0.4, 0.8)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("How many people came?", "Can you tell me the number of people that came?"),
        ("When was the hall built?", "In what year was the hall built?"),
        ("What is karma yoga?", "what's Karma-Yoga"),
    ],
)
def test_the_same_question_in_the_same_words_is_the_same(one, other):
    assert has_same_words(one, other, lexemes)
    assert not objection_to(one, other, [other], lexemes)


@pytest.mark.parametrize(
    ("one", "other", "but"),
    [
        ("When was the hall built?", "Who built the hall?", "seeks another kind of answer"),
        ("When did he leave home?", "When did he leave town?", "another word in place of one"),
        ("Who funds the secretary?", "Who funds the deputy secretary?", "leaves something out"),
        ("Who funds the deputy secretary?", "Who funds the secretary?", "more besides"),
        ("What came after the flood?", "What came before the flood?", "turns it around"),
        ("Should one eat meat?", "Should one not eat meat?", "turns it around"),
        ("Why do we work?", "Why don't we work?", "turns it around"),
        ("Why did Arjuna apologise to Krishna?", "Why did Krishna apologise to Arjuna?", "another order"),
    ],
)
def test_a_question_with_a_word_changed_asks_something_else(one, other, but):
    assert not has_same_words(one, other, lexemes)
    said = objection_to(one, other, ["Something without any likeness", other], lexemes)
    assert but in said


def test_a_question_worded_anew_is_left_to_the_models():
    pinned = ["Why did Arjuna put down his bow?", "What made him give up the fight?"]
    assert objection_to("The greatest archer of his time sits down. How come?", pinned[0], pinned, lexemes) == ""


def test_only_the_closest_phrasing_objects_to_changed_words():
    asked, closest, other = "When was the hall opened?", "On which day did it open?", "When was the hall built?"
    assert objection_to(asked, other, [closest, other], lexemes)
    assert objection_to(asked, closest, [closest, other], lexemes) == ""


def test_another_number_is_another_question():
    lesson, verse = "Which lesson gives verse 13?", "What stands in verse 14?"
    assert objection_to(verse, lesson, [lesson], lexemes)
    assert not objection_to(verse, lesson, [lesson, "Verse 14, please"], lexemes)


@given(st.text(max_size=60), st.text(max_size=60))
def test_sameness_has_no_side_and_no_text_objects_to_itself(one, other):
    assert has_same_words(one, other, lexemes) == has_same_words(other, one, lexemes)
    assert objection_to(one, one, [one], lexemes) == ""


CHANCES = st.lists(st.floats(0, 1), min_size=1, max_size=6)


@given(CHANCES)
def test_more_likeness_never_makes_a_pin_less_likely_and_an_objection_never_more(chances):
    low = RULE.chance(signs_of(chances, objected=False))
    surer = RULE.chance(signs_of([min(1.0, chance + 0.1) for chance in chances], objected=False))
    assert 0 <= RULE.chance(signs_of(chances, objected=True)) <= low <= surer <= 1


@given(CHANCES, st.booleans())
def test_a_phrasing_more_never_makes_a_pin_miss_what_its_question_meets(chances, objected):
    chance, bar = RULE.verdict(chances[:1], objected=objected)
    more, lower = RULE.verdict(chances, objected=objected)
    assert more >= lower or chance < bar


@pytest.mark.parametrize(("wordings", "bar"), [(1, 0.9), (2, 0.9), (3, 0.8), (4, 0.8), (6, 0.7), (40, 0.7)])
def test_between_two_numbers_of_wordings_the_higher_bar_holds(wordings, bar):
    assert RULE.bar(wordings) == bar
    assert MatchRule({}, 0.0, {}, 0.3, 0.6, 0.6, 0.4, 0.8).bar(wordings) == 1.0


@pytest.mark.parametrize(
    ("question", "trigger", "says"),
    [
        ("Is the yoga of karma hard?", "karma yoga", True),
        ("Is karma hard?", "karma yoga", False),
        ("What is it?", "what", True),
        ("Is it?", "what", False),
        ("Is it?", " ", False),
    ],
)
def test_a_question_says_a_trigger_by_all_of_its_words(question, trigger, says):
    assert says_trigger(question, trigger, lexemes) is says
