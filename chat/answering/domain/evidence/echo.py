"""Sentences that say the question again: whoever plants a passage opens it so, to be found first."""

from corpus.domain.passage import Span
from corpus.domain.text.folding import fold
from corpus.domain.text.sentences import is_question, sentence_spans
from corpus.domain.text.stopwords import ASKING_WORDS, STOPWORDS

LEAST = 3  # content words of a question; a shorter one is asked and answered in honest talk as well
SHARED = 0.8  # of the content words of the question, and of those of the sentence


def echo_spans(text: str, question: str) -> list[Span]:
    """Return the spans of a passage's sentences that say the question again, word for word or nearly as a question.

    They are near the question and answer nothing, so they may not raise a passage's rank nor be quoted.
    """
    asked = _content(fold(question).split())
    if len(asked) < LEAST:
        return []
    said = fold(question) if is_question(question) else ""
    return [(start, end) for start, end in sentence_spans(text) if _echoes(text[start:end], said, asked)]


def without_echoes(text: str, question: str) -> str:
    """Return the text with blanks in place of such sentences, so that all other characters keep their places."""
    for start, end in echo_spans(text, question):
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


def _echoes(sentence: str, said: str, asked: frozenset[str]) -> bool:
    words = fold(sentence).split()
    if said and said in " ".join(words):
        return True
    own = _content(words)
    shared = len(own & asked)
    return is_question(sentence) and shared >= SHARED * len(asked) and shared >= SHARED * len(own)


def _content(words: list[str]) -> frozenset[str]:
    return frozenset(words) - STOPWORDS - ASKING_WORDS
