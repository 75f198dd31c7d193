"""Sentences that say the question again: whoever plants a passage opens it so, to be found first."""

from collections.abc import Sequence
from functools import lru_cache

from corpus.domain.passage import Span
from corpus.domain.text.folding import fold
from corpus.domain.text.sentences import is_question, sentence_spans
from corpus.domain.text.stopwords import ASKING_WORDS, STOPWORDS

LEAST = 3  # content words of a question that may be found nearly as asked
WHOLE = 4  # words of a question that may be found word for word: a shorter one is asked and answered in honest talk
SHARED = 0.8  # of the content words of the question, and of those of the sentence
OPENINGS = frozenset(  # and "please", which ends one as well
    "who whom whose what which when where why how is are am was were do does did can could may might must shall should "
    "will would has have had whats whos tell show give explain describe remind list name compare please".split()
)


@lru_cache(maxsize=512)  # a turn ranks, reads and quotes the same passages
def echo_spans(text: str, question: str) -> tuple[Span, ...]:
    """Return the spans of a passage's sentences that say the question again, word for word or nearly as a question.

    They are near the question and answer nothing, so they may not raise a passage's rank nor be quoted. What was typed
    as a statement is looked for, so that finding it word for word is no echo.
    """
    parts = _parts(question)
    return tuple(
        (start, end)
        for start, end in (sentence_spans(text) if _may_echo(text, parts) else ())
        if any(_echoes(text[start:end], whole, asked) for whole, asked in parts)
    )


def without_echoes(text: str, question: str) -> str:
    """Return the text with blanks in place of such sentences, so that all other characters keep their places."""
    for start, end in echo_spans(text, question):
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


Part = tuple[str, frozenset[str]]


@lru_cache(maxsize=16)
def _parts(question: str) -> tuple[Part, ...]:
    """What is looked for of each sentence of a question."""
    return tuple(part for start, end in sentence_spans(question) if (part := _part(question[start:end])))


def _may_echo(text: str, parts: Sequence[Part]) -> bool:
    """Whether any sentence can be an echo; looking at the text as a whole is cheaper than at each sentence."""
    if any(asked for _, asked in parts) and "?" in text:
        return True
    sought = [whole for whole, _ in parts if whole]
    folded = f" {fold(text)} " if sought else ""
    return any(whole in folded for whole in sought)


def _part(sentence: str) -> Part | None:
    """A sentence of the question, folded, between blanks, and its content words; None for one that is not sought.

    The former is empty where finding it word for word says nothing, and the latter where finding most of it does.
    """
    words = fold(sentence).split()
    asks = is_question(sentence) or (bool(words) and not OPENINGS.isdisjoint((words[0], words[-1])))
    whole = f" {' '.join(words)} " if asks and len(words) >= WHOLE else ""
    content = _content(words)
    asked = content if len(content) >= LEAST else frozenset()
    return (whole, asked) if whole or asked else None


def _echoes(sentence: str, whole: str, asked: frozenset[str]) -> bool:
    """whole, asked: see _part."""
    words = fold(sentence).split()
    if whole and whole in f" {' '.join(words)} ":
        return True
    own = _content(words)
    shared = len(own & asked)
    return bool(asked) and is_question(sentence) and shared >= SHARED * len(asked) and shared >= SHARED * len(own)


def _content(words: list[str]) -> frozenset[str]:
    return frozenset(words) - STOPWORDS - ASKING_WORDS
