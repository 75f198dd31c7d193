import pytest

from training.wording import given_away


def rows(answered, unanswered):
    """Twelve passages, each with a question that it answers and one that it does not."""
    return [
        {"passage": str(number), "question": question.format(number), "answer": answer}
        for number in range(12)
        for question, answer in ((answered, "It says so."), (unanswered, None))
    ]


def test_a_word_that_only_unanswered_questions_have_gives_them_away():
    assert given_away(rows("Why does bow {} sing?", "Which year does bow {} sing?")) == 1.0


def test_questions_of_one_wording_give_nothing_away():
    assert given_away(rows("Why does bow {} sing?", "Why does bow {} sing?")) == pytest.approx(0.5)
