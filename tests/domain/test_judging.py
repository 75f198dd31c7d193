import pytest

from audit.domain.judging import (
    CRITERIA,
    Choice,
    JudgeRules,
    PairVerdict,
    Round,
    Winner,
    fault_of,
    first_side,
    other,
    quality_of,
    results_of,
    sign_test,
    winner_of,
)

FIRST, SECOND, TIE = Choice.FIRST, Choice.SECOND, Choice.TIE


def verdict(question, choice, kind=Round.PLAIN, first=None):
    shown = first or (other(first_side(question)) if kind is Round.SWAPPED else first_side(question))
    return PairVerdict(question, kind, shown, dict.fromkeys(CRITERIA, choice) if choice else {})


def better(question, side, kind=Round.PLAIN):
    """The verdict of a judge who finds this side better, whatever its place."""
    shown = verdict(question, None, kind).first
    return verdict(question, FIRST if shown is side else SECOND, kind)


def test_about_half_of_the_questions_show_each_side_first_and_always_the_same_one():
    sides = [first_side(f"question {n}") for n in range(400)]
    assert 160 < sides.count(Winner.A) < 240
    assert sides == [first_side(f"question {n}") for n in range(400)]


def test_a_place_is_turned_back_into_a_side():
    assert winner_of(FIRST, Winner.B) is Winner.B
    assert winner_of(SECOND, Winner.B) is Winner.A
    assert winner_of(TIE, Winner.B) is Winner.TIE


def test_the_better_side_wins_wherever_it_is_shown():
    verdicts = [better(f"q{n}", Winner.A) for n in range(20)] + [verdict("tied", TIE)]
    for result in results_of(verdicts):
        assert (result.a, result.b, result.ties) == (20, 0, 1)
        assert result.a_wins.value == 1
        assert result.chance < 0.001


@pytest.mark.parametrize(("wins", "losses", "chance"), [(5, 5, 1.0), (0, 0, 1.0), (9, 1, 0.0215), (10, 0, 0.00195)])
def test_the_sign_test_is_exact_and_two_sided(wins, losses, chance):
    assert sign_test(wins, losses) == pytest.approx(chance, abs=0.0005)
    assert sign_test(losses, wins) == sign_test(wins, losses)


def test_a_judge_that_always_takes_the_first_is_found_out_and_gives_neither_side_the_win():
    questions = [f"q{n}" for n in range(40)]
    verdicts = [verdict(question, FIRST, kind) for question in questions for kind in (Round.PLAIN, Round.SWAPPED)]
    quality = quality_of(verdicts)
    assert (quality.by_place.value, quality.first.value) == (1, 1)
    assert "goes by place" in fault_of(quality, JudgeRules())
    assert all(0.3 < result.a_wins.value < 0.7 for result in results_of(verdicts))


def test_a_judge_that_goes_by_the_answers_is_trusted_and_its_noise_is_counted():
    questions = [f"q{n}" for n in range(20)]
    verdicts = [better(question, Winner.B, kind) for question in questions for kind in (Round.PLAIN, Round.SWAPPED)]
    verdicts += [better("q0", Winner.A, Round.REPEATED), better("q1", Winner.B, Round.REPEATED)]
    quality = quality_of(verdicts)
    assert quality.by_place.value == 0
    assert (quality.noise.hits, quality.noise.total) == (4, 8)
    assert fault_of(quality, JudgeRules()) == ""


def test_a_judge_without_verdicts_is_not_used():
    verdicts = [verdict(f"q{n}", None) for n in range(3)] + [better("q9", Winner.A)]
    assert fault_of(quality_of(verdicts), JudgeRules()) == "The judge gave no usable verdict in 3 of 4 askings."
    assert results_of(verdicts)[0].a_wins.total == 1
