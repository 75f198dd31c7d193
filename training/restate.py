"""Rephrases true sentences, so that support does not depend on their words."""

import random
import re

from training.lexicon import names_in
from training.text import as_speech
from training.wordlists import FRAMES, SYNONYMS

_WORD = re.compile(r"[A-Za-zÀ-ÿĀ-ỹ'’-]+")


def restate(text: str, rng: random.Random) -> str:
    """Rephrase: drop optional words, use synonyms, add a frame, or write it as speech."""
    if rng.random() < 0.5:
        without_asides = re.sub(r"\s*\([^)]*\)|\s*—[^—]*—", "", text)
        text = without_asides if len(without_asides.split()) > 3 else text
    if rng.random() < 0.7:
        text = re.sub(r"^(?:And|But|Now|So|Therefore|Thus|Then|Yet|For|Well|Again|However|Hence),?\s+", "", text)
    if rng.random() < 0.35:
        text = _one_clause(text, rng)
    if rng.random() < 0.3:
        text = re.sub(r",\s+(?:however|indeed|of course|therefore|too|also|as we know|you see|my friends),", "", text)
    words = _WORD.findall(text)
    for word in rng.sample(words, len(words)):
        if word in SYNONYMS and rng.random() < 0.5:
            text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", SYNONYMS[word], text, count=1)
    if rng.random() < 0.12:
        text = rng.choice(FRAMES).format(lower_first(text))
    if rng.random() < 0.08:
        return as_speech(text, rng, fillers=rng.random() < 0.3)
    return text[:1].upper() + text[1:]


def _one_clause(text: str, rng: random.Random) -> str:
    clauses = list(re.split(r"[;:]\s+|,\s+(?:and|but|so)\s+(?=(?:he|she|it|they|we|I|the|there|this)\b)", text))
    long = [clause for clause in clauses if len(clause.split()) >= 6]
    if len(clauses) < 2 or not long:
        return text
    clause = rng.choice(long).strip().rstrip(",;:")
    return clause if clause[-1:] in ".!?" else clause + "."


def lower_first(text: str) -> str:
    """`text` with a lower-case first letter, unless it starts with a name or "I"."""
    first = text.split(maxsplit=1)[0] if text.split() else ""
    return text if first in names_in(f"so {text}") or first in {"I", "I'm"} else text[:1].lower() + text[1:]
