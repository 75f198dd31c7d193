"""Text functions shared by the data builders. Offsets are characters, end exclusive."""

import random
import re
from collections.abc import Sequence

_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9])|(?<=[a-z0-9)\"]) \. (?=[a-z\"(])|\n+")
_ABBREVIATION = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|St|Prof|vs|No|Jr|Sr|Co|Inc|Ltd|i\.e|e\.g|cf|vol|pp|ca)|\b[A-Z])\.$")
_FILLERS = ("um", "uh", "you know", "well", "so", "i mean", "and", "okay")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Spans of the sentences, in order, without the white space between them."""
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        if _ABBREVIATION.search(text[start : match.start()]):
            continue
        end = match.end() - (len(match.group()) - len(match.group().rstrip()))
        if text[start:end].strip():
            spans.append((start, end))
        start = match.end()
    if text[start:].strip():
        spans.append((start, len(text.rstrip())))
    return spans


def sentences(text: str) -> list[str]:
    return [text[a:b].strip() for a, b in sentence_spans(text)]


def join_with_spans(parts: Sequence[str], chosen: set[int]) -> tuple[str, list[tuple[int, int]]]:
    """Parts joined with spaces, and the spans of the parts whose index is in `chosen`."""
    text, spans = "", []
    for index, part in enumerate(parts):
        start = len(text) + (1 if text else 0)
        text = f"{text} {part}" if text else part
        if index in chosen:
            spans.append((start, len(text)))
    return text, spans


def detokenize(text: str) -> str:
    """Undo the spacing of treebank-like tokenisation: `says , "no" .` becomes `says, "no".`"""
    text = text.replace("``", '"').replace("''", '"').replace(" n't", "n't").replace(" -- ", "–")
    text = re.sub(r"\s+([,.;:!?%)\]])", r"\1", text)
    text = re.sub(r"([(\[$])\s+", r"\1", text)
    text = re.sub(r"\s+('(?:s|re|ve|ll|d|m)\b)", r"\1", text)
    text = re.sub(r'"\s+([^"]*?)\s+"', r'"\1"', text)
    return re.sub(r"(\w) - (\w)", r"\1-\2", text)


def as_speech(text: str, rng: random.Random, *, fillers: bool = True) -> str:
    """`text` like a transcript without punctuation: lower case, few marks, some fillers."""
    words = re.sub(r"[^\w\s'’%$-]", " ", text.lower()).split()
    if not fillers:
        return " ".join(words)
    spoken: list[str] = []
    for word in words:
        if rng.random() < 0.03:
            spoken.append(rng.choice(_FILLERS))
        spoken.append(word)
        if rng.random() < 0.01:
            spoken.append(word)
    return " ".join(spoken)


def crop_around(text: str, span: tuple[int, int], words: int, rng: random.Random) -> tuple[str, int]:
    """About `words` words of whole sentences around `span`, and the offset of the crop in `text`."""
    spans = sentence_spans(text)
    inside = [i for i, (a, b) in enumerate(spans) if a < span[1] and b > span[0]]
    if not inside:
        return text, 0
    first, last = inside[0], inside[-1]
    while len(text[spans[first][0] : spans[last][1]].split()) < words and (first > 0 or last < len(spans) - 1):
        if first > 0 and (last == len(spans) - 1 or rng.random() < 0.5):
            first -= 1
        else:
            last += 1
    return text[spans[first][0] : spans[last][1]], spans[first][0]


def crop(text: str, words: int, rng: random.Random) -> str:
    """About `words` words of whole sentences from a random place."""
    spans = sentence_spans(text)
    if not spans:
        return text
    return crop_around(text, rng.choice(spans), words, rng)[0]
