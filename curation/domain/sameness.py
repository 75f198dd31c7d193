"""Strict comparison of questions. A pinned answer is trusted, so a merely similar question must not match it."""

import re
from collections.abc import Callable, Collection

_AMOUNT = r"(?:how (?:many|much)|(?:number|amount) of)"
_DATE = r"(?:what|which) (?:year|date|day|century)"
# The kind of answer a question seeks. "What" and "which" may seek anything.
_SOUGHT = {
    name: re.compile(pattern, re.I)
    for name, pattern in {
        "number": rf"\b{_AMOUNT}\b",
        "person": r"\bwho(?:m|se)?\b",
        "time": rf"\b(?:when|{_DATE})\b",
        "place": r"\bwhere\b",
        "reason": r"\bwhy\b",
        "way": r"\bhow\b(?! (?:many|much)\b)",
    }.items()
}
# Words that reverse a question but hardly change its search terms or embedding.
_TURNS = re.compile(
    r"\b(?:no|not|nor|none|never|neither|without|except|only|before|after|first|last|next|previous|more|most|less|least|"
    r"fewer|fewest|other|another|cannot)\b|n['’]t\b",
    re.I,
)
# Phrases that only mark a question, and the "'s" of "what's".
_SAID = re.compile(rf"\b(?:{_AMOUNT}|{_DATE}|can you tell me|do you know|please)\b|['’]s\b", re.I)


def asks_the_same(one: str, other: str, content: Callable[[str], Collection[str]]) -> bool:
    """Whether both seek the same kind of answer with the same content words and the same reversing words.

    content: returns the content lexemes of a text. Paraphrases are often rejected; docs/thresholds.md has the
    measurement under `CuratedRules.pin_judged`.
    """
    return (
        _sought(one) == _sought(other)
        and _turns(one) == _turns(other)
        and set(content(_SAID.sub(" ", one))) == set(content(_SAID.sub(" ", other)))
    )


def _sought(text: str) -> frozenset[str]:
    return frozenset(name for name, pattern in _SOUGHT.items() if pattern.search(text))


def _turns(text: str) -> list[str]:
    return sorted(turn.casefold() for turn in _TURNS.findall(text))
