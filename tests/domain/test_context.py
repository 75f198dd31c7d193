"""The line that says where a chunk stands."""

from corpus.domain.context import ChunkSetting, context_line, leading_terms


def test_the_line_holds_what_is_known_and_nothing_else():
    setting = ChunkSetting("What is duty?", "Ann", "3 January 1896", "New York", "Karma", "Part I", ("duty", "freedom"))
    assert context_line(setting) == "What is duty? Karma. Ann, 3 January 1896, New York. Part I. On duty, freedom."
    assert context_line(ChunkSetting("Preface")) == "Preface."
    assert "\n" not in context_line(setting)


def test_a_title_that_is_also_the_series_is_said_once():
    assert context_line(ChunkSetting("Karma", series="Karma")) == "Karma."


def test_leading_terms_are_the_words_said_most_without_those_that_say_nothing():
    texts = [
        "The soul is not the body. The soul was never born.",
        "Never will the soul or the body die, nor the soul.",
    ]
    assert leading_terms(texts)[:2] == ("soul", "body")
    assert leading_terms(["Once is not often."]) == ()


def test_spellings_of_a_term_are_counted_together_and_shown_as_first_written():
    assert leading_terms(["Kṛṣṇa came.", "Krishna spoke."]) == ("Kṛṣṇa",)
