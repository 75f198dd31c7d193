import pytest

from chat.answering.domain.query.spelling import (
    SpellingRules,
    choose_spelling,
    misspelled_words,
    one_slip_away,
    sounds_like,
)

RULES = SpellingRules()
KNOWN = frozenset("what is who are the of on in to how can mind story dharma bhakti king".split())


def unknown(text):
    return [text[slice(*span)] for span in misspelled_words(text, KNOWN.__contains__, RULES)]


def test_only_words_that_nobody_knows_are_misspelled():
    assert unknown("What is bahkti of the mind?") == ["bahkti"]
    assert unknown("What is bhakti?") == []


def test_short_quoted_joined_and_foreign_words_stay():
    assert unknown("what is “bahkti” in NATO, yga and karma-yogaa and ātmaan") == []


def test_text_of_another_language_is_not_corrected():
    assert unknown("Was bedeutet eigentlich dieses Wort") == []


@pytest.mark.parametrize(("typed", "meant"), [("bahkti", "bhakti"), ("dharam", "dharma"), ("vilages", "villages")])
def test_one_slip_is_a_letter_left_out_swapped_changed_or_added(typed, meant):
    assert meant in one_slip_away(typed)
    assert typed not in one_slip_away(typed)


def test_the_first_letter_stays():
    assert "money" not in one_slip_away("honey")


def chosen(word, chunks, *, is_name=False):
    return choose_spelling(word, chunks, {"villages"}, is_name=is_name, rules=RULES)


def test_swapped_letters_come_first_and_then_the_word_that_more_passages_hold():
    assert chosen("dharam", {"dharma": 3, "dhara": 9}) == "dharma"
    assert chosen("krma", {"karma": 9, "krama": 1}) == "karma"


def test_nothing_is_chosen_between_two_equals_or_among_none():
    assert chosen("blnds", {"blinds": 2, "blends": 2}) == ""
    assert chosen("descale", {}) == ""


def test_a_name_is_corrected_only_to_another_transliteration_of_itself():
    assert chosen("duryodana", {"duryodhana": 4}, is_name=True) == "duryodhana"
    assert chosen("anderson", {"andersen": 4}, is_name=True) == ""
    assert sounds_like("Duryodana") == sounds_like("Duryodhana")


def test_a_word_too_long_to_be_misspelled_stays_as_typed():
    assert unknown(f"what is {'z' * 30}") == ["z" * 30]
    assert unknown(f"what is {'z' * 31}") == []
