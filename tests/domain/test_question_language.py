import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.domain.text.question_language import FUNCTION_WORDS, language_of
from corpus.language import STEMMED


def test_a_language_that_is_stemmed_can_be_told():
    assert set(FUNCTION_WORDS) == set(STEMMED)


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "What does the Gita say about duty?"),
        ("en", "Who was the man that refused to bow?"),
        ("en", "Why did Arjuna put down the Gandiva in Kurukshetra?"),
        ("de", "Was sagt die Gita über die Pflicht?"),
        ("de", "Was ist Karma?"),
        ("es", "¿Qué dice la Gita sobre el deber?"),
        ("fr", "Qu’est-ce que le karma ?"),
        ("fr", "Pourquoi faut-il agir sans désir selon le maître ?"),
        ("it", "Che cosa significa il karma nella Gita?"),
        ("nl", "Wat zegt de Gita over het werk?"),
        ("pt", "O que a Gita diz sobre o dever?"),
        ("ru", "Что говорит Гита о долге?"),
    ],
)
@pytest.mark.parametrize("page", ["en", "hi"])
def test_a_question_is_in_the_language_it_is_asked_in_whatever_its_page_is(language, question, page):
    assert language_of(question, page) == language


def test_capitals_within_a_question_are_names_and_tell_nothing():
    assert language_of("What type of company is Van Gend en Loos?", "en") == "en"


@pytest.mark.parametrize("short", ["karma yoga", "BG 2.13", "John 11:35", "", "bhakti?", "आत्मा"])
@pytest.mark.parametrize("page", ["en", "de", "hi"])
def test_what_is_too_short_to_tell_is_in_the_language_of_its_page(short, page):
    assert language_of(short, page) == page


@given(st.text(), st.sampled_from(["en", "hi"]))
def test_any_text_has_a_language(text, page):
    assert language_of(text, page) in {*FUNCTION_WORDS, page}
