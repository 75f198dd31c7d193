"""Tokens are counted in linear time, whatever a tokenizer makes of the text."""

import re

from corpus.domain.chunking import ChunkRules, split_text
from corpus.domain.token_ruler import LONGEST_TOKEN, STEP, WINDOW, TokenRuler


def words(text):
    return [match.span() for match in re.finditer(r"\w+|[^\w\s]", text)]


def test_a_text_read_in_windows_has_the_tokens_of_the_whole():
    text = "one two, three. " * (3 * WINDOW // 16)
    ruler = TokenRuler(text, words)
    assert ruler.estimate(0, len(text)) == len(words(text))
    assert ruler.end_of(0, 3) == len("one two,")
    assert ruler.end_of(16 * 5000, 5) == 16 * 5000 + len("one two, three.")


def test_no_window_is_longer_than_the_tokenizer_should_read_at_once():
    read = []
    TokenRuler("a" * (3 * WINDOW), lambda text: read.append(len(text)) or words(text))
    assert max(read) == WINDOW


def test_a_word_of_any_length_counts_as_many_tokens():
    assert TokenRuler("a" * LONGEST_TOKEN, words).count(0, LONGEST_TOKEN) == 1
    assert TokenRuler("a" * 160_000, words).count(0, 160_000) == 160_000 // STEP


def test_text_that_the_tokenizer_drops_counts_too():
    assert TokenRuler("\ufe0f" * 1600, lambda text: []).count(0, 1600) == 100


def test_no_chunk_is_longer_than_its_words_may_be():
    chunks = split_text("a" * 20_000, words, ChunkRules(max_tokens=42))
    assert {chunk.end - chunk.start for chunk in chunks} <= {40 * STEP, 20_000 % (40 * STEP)}
    assert chunks[-1].end == 20_000
