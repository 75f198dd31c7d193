import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.domain.titles import LONGEST_TITLE, title_key, titles_named

KNOWN = {"secret of work", "karma yoga", "work", "new york", "new york city", "paris france", "1984", "nagari"}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("He spoke of the Secret of Work at length.", ["secret of work"]),
        ("He moved to New York City, and left New York again.", ["new york city", "new york"]),
        ("Karma-Yoga says more.", ["karma yoga"]),
        ("He read Karma-Yoga, then Karma Yoga again.", ["karma yoga"]),
        ("He was born in Paris, France.", ["paris france"]),
        ("All of it is in 1984, she said.", ["1984"]),
        ("Of all talks he liked Work best.", ["work"]),
        ("Work is worship.", []),
        ("The secret of work is to let go.", []),
        ("He came to New. York City was far.", []),
        ("", []),
    ],
)
def test_a_title_is_named_where_it_stands_out(text, named):
    assert titles_named(text, KNOWN) == named


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("The Secret of Work", "the secret of work"),
        ("Mercury (planet)", "mercury"),
        ("Śaṅkara", "sankara"),
        ("Om", ""),
        ("(untitled)", ""),
        ("…", ""),
        (" ".join(["Word"] * (LONGEST_TITLE + 1)), ""),
    ],
)
def test_what_tells_a_title_from_its_namesakes_is_not_said_and_what_is_too_short_or_long_names_nothing(title, key):
    assert title_key(title) == key


@given(st.text(max_size=200), st.sets(st.text(min_size=1, max_size=12).map(title_key).filter(bool), max_size=9))
def test_only_known_titles_are_named_and_each_once(text, known):
    named = titles_named(text, known)
    assert set(named) <= known
    assert len(set(named)) == len(named)
