"""The corpus's words: which of them another one may be a spelling of."""

import pytest

from corpus.indexing.terms import EVERY_CHUNK, resembling
from corpus.models import Term

pytestmark = pytest.mark.django_db


@pytest.fixture
def words():
    Term.objects.bulk_create(
        Term(lexeme=lexeme, chunks=n)
        for n, lexeme in enumerate([EVERY_CHUNK, "banyan", "banyans", "bandage", "krishna", "krsna"], 1)
    )


def test_the_word_spelled_most_alike_comes_first(words):
    found = resembling("banyann", 5)
    assert [lexeme for lexeme, _ in found] == ["banyan", "banyans"]
    assert all(0.6 <= resemblance <= 1 for _, resemblance in found)


def test_no_more_words_than_asked_for(words):
    assert [lexeme for lexeme, _ in resembling("banyann", 1)] == ["banyan"]


@pytest.mark.parametrize("word", ["xylophone", "", "%", "'"])
def test_what_is_like_no_word_finds_none(words, word):
    assert resembling(word, 5) == []
