"""The languages that a browser asks for."""

import pytest

from corpus.domain.local_text import accepted_languages


@pytest.mark.parametrize(
    ("header", "languages"),
    [
        ("de-CH, en;q=0.5, hi;q=0.8", ("de-ch", "hi", "en")),
        ("de;q=0, en;q=1", ("en",)),
        ("de, en;q=², fr;q=x, es;q=", ("de",)),
        ("", ()),
    ],
)
def test_languages_come_by_their_weight_without_those_that_cannot_be_read(header, languages):
    assert accepted_languages(header) == languages
