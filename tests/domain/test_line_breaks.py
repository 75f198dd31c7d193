"""Words divided at the end of a printed line."""

import pytest

from corpus.domain.text.line_breaks import unbroken
from corpus.domain.text.traced import whole


@pytest.mark.parametrize(
    ("page", "read"),
    [
        ("con-\nscious", "conscious"),
        ("con\u00ad\nscious", "conscious"),
        ("con- \n  scious", "conscious"),
        ("self-realization is self-\nrealization", "self-realization is self-realization"),
        ("the self seeks realization: self-\nrealization", "the self seeks realization: self-realization"),
        ("Anglo-\nSaxon", "Anglo-Saxon"),
        ("a dash -\nnot a word", "a dash -\nnot a word"),
        ("on page 12-\n14", "on page 12-14"),
    ],
)
def test_a_divided_word_is_joined_and_a_compound_keeps_its_hyphen(page, read):
    assert unbroken(whole(page)).text == read


def test_the_division_is_still_found_in_the_source():
    page = "a con-\nscious self"
    text = unbroken(whole(page))
    start = text.text.index("conscious")
    assert page[slice(*text.source_span(start, start + 9))] == "con-\nscious"
