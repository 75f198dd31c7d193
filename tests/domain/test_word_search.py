import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.domain.text.folding import fold
from corpus.domain.text.word_search import find_words

TEXT = "Kṛṣṇa’s bow, the Gāṇḍīva: self-control — and कृष्ण again. Krishna said “yoga, yogas”."


def found(query, text=TEXT):
    return [text[start:end] for start, end in find_words(text, query)]


@pytest.mark.parametrize("query", ["krishna", "Kṛṣṇa", "KRSNA", "कृष्ण"])
def test_a_word_is_found_in_every_spelling_and_script(query):
    assert found(query) == ["Kṛṣṇa’s", "कृष्ण", "Krishna"]


@pytest.mark.parametrize(
    ("query", "places"),
    [
        ("the gandiva", ["the Gāṇḍīva"]),
        ("self control", ["self-control"]),
        ("Krishna said yoga", ["Krishna said “yoga"]),
        ("yoga", ["yoga", "yogas"]),
        ("yoga yogas", ["yoga, yogas"]),
        ("Gāṇḍ", ["Gāṇḍīva"]),
        ("bow gandiva", []),
        ("oga", []),
        ("…", []),
        ("", []),
    ],
)
def test_words_are_found_one_after_another_and_the_last_by_its_beginning(query, places):
    assert found(query) == places


@given(st.text(max_size=80), st.text(max_size=20))
def test_places_are_ordered_disjoint_and_within_the_text(text, query):
    spans = find_words(text, query)
    edges = [edge for span in spans for edge in span]
    assert edges == sorted(edges)
    assert all(0 <= start < end <= len(text) for start, end in spans)


@given(st.lists(st.sampled_from(["dharma", "Kṛṣṇa", "time", "कर्म", "naïve"]), min_size=1, max_size=6), st.data())
def test_every_run_of_words_of_a_text_is_found_in_it(words, data):
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first + 1, len(words)))
    query = " ".join(words[first:last])
    assert fold(query) in [fold(place) for place in found(query, ", ".join(words))]
