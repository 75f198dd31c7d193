import pytest

from audit.domain.reviewing import CaseKind, CaseState, Decision, GivenDecision, label_of, passes

SHOWN = ["The soul dies.", "It wears a coat."]
AGREE, UNSURE = GivenDecision(Decision.AGREE), GivenDecision(Decision.UNSURE)


def against(*places):
    return GivenDecision(Decision.DISAGREE, places)


@pytest.mark.parametrize(
    ("decisions", "state"),
    [
        ([against(1)], CaseState.PROPOSED),
        ([against(1), UNSURE], CaseState.PROPOSED),
        ([against(1), against(1)], CaseState.CONFIRMED),
        ([AGREE, against(1)], CaseState.CONTESTED),
    ],
)
def test_a_case_says_how_far_the_reviewers_are_of_one_mind(decisions, state):
    assert label_of("grounded", SHOWN, decisions).state is state


def test_nobody_who_disagrees_makes_no_case():
    assert label_of("grounded", SHOWN, [AGREE, UNSURE]) is None
    assert label_of("grounded", SHOWN, []) is None


def test_the_wrong_sentences_are_those_that_either_reviewer_marked_or_the_whole_answer():
    assert label_of("grounded", SHOWN, [against(1), against(2)]).sentences == tuple(SHOWN)
    assert label_of("grounded", SHOWN, [against(2)]).sentences == ("It wears a coat.",)
    assert label_of("grounded", SHOWN, [against()]).sentences == tuple(SHOWN)
    assert label_of("grounded", SHOWN, [against(9)]).sentences == tuple(SHOWN)


@pytest.mark.parametrize("outcome", ["refused", "closest_passage", "asked_back"])
def test_who_disagrees_with_a_refusal_says_that_the_question_can_be_answered(outcome):
    label = label_of(outcome, SHOWN, [against()])
    assert (label.kind, label.sentences) == (CaseKind.ANSWERABLE, ())


def test_a_case_passes_where_the_wrong_words_are_gone_or_the_question_is_answered():
    answer = {"outcome": "grounded", "sentences": [{"text": "The  soul dies."}]}
    refusal = {"outcome": "refused", "sentences": []}
    assert not passes("wrong", ["The soul dies."], answer)
    assert passes("wrong", ["It wears a coat."], answer)
    assert passes("wrong", ["The soul dies."], refusal)
    assert passes("answerable", [], answer)
    assert not passes("answerable", [], refusal)
