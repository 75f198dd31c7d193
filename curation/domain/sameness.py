"""Do two wordings ask the same? Strictly: who pins an answer is believed, so what only looks alike must not meet it."""

import re
from collections.abc import Callable, Collection

_AMOUNT = r"(?:how (?:many|much)|(?:number|amount) of)"
_DATE = r"(?:what|which) (?:year|date|day|century)"
# What is asked for, however it is worded. "What" and "which" ask for anything.
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
# They turn a question round, and index and embedder hardly see them.
_TURNS = re.compile(
    r"\b(?:no|not|nor|none|never|neither|without|except|only|before|after|first|last|next|previous|more|most|less|least|"
    r"fewer|fewest|other|another|cannot)\b|n['’]t\b",
    re.I,
)
# What only asks, beside what is asked for; and the "'s" of "what's".
_SAID = re.compile(rf"\b(?:{_AMOUNT}|{_DATE}|can you tell me|do you know|please)\b|['’]s\b", re.I)


def asks_the_same(one: str, other: str, content: Callable[[str], Collection[str]]) -> bool:
    """Do both seek the same kind of thing, with the same words that carry meaning and the same that turn it round?

    content: gives the lexemes of a text that carry meaning. Another wording of the same is often refused; measured:
    docs/thresholds.md, `CuratedRules.pin_judged`.
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
