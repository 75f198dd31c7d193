import pytest

from chat.answering.domain.evidence.answer_types import fits_question


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("How many pots were cracked?", "One hundred and twelve were cracked."),
        ("Who taught him this?", "My grandmother taught me this."),
        ("And who fought there?", "On that day Arjuna fought."),
        ("Why did he leave?", "He left because he was tired."),
    ],
)
def test_a_sentence_that_holds_what_is_asked_for_fits(question, sentence):
    assert fits_question(question, sentence)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("How many pots were cracked?", "Most were cracked."),
        ("Why did he leave?", "He left early."),
        ("What is bhakti?", "Bhakti is love because it asks nothing."),
    ],
)
def test_one_that_does_not_or_a_question_that_asks_for_none_of_these_does_not_fit(question, sentence):
    assert not fits_question(question, sentence)
