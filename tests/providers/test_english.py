import pytest

from lectorium.providers.english.embedders import reads_only_english
from lectorium.providers.english.vocabulary import english_words


def test_the_vocabulary_has_common_english_words_and_no_slips():
    assert {"honey", "money", "should", "karma"} <= english_words()
    assert not {"bahkti", "dharam", "vilages"} & english_words()


@pytest.mark.parametrize("name", ["all-MiniLM-L6-v2", "all-mpnet-base-v2", "hashing", "BAAI/bge-small-en-v1.5"])
def test_models_trained_on_english_read_only_english(name):
    assert reads_only_english(name)


@pytest.mark.parametrize(
    "name", ["intfloat/multilingual-e5-small", "BAAI/bge-m3", "paraphrase-multilingual-MiniLM-L12-v2", "somebody/model"]
)
def test_multilingual_and_unknown_models_are_taken_to_read_every_language(name):
    assert not reads_only_english(name)
