"""Takes a question apart by rules: what is compared, what is asked beside it, and what a second look should search."""

import re
from collections.abc import Iterable, Sequence

from corpus.domain.text.sentences import sentence_spans

MAX_PARTS = 3
SIDE_CHARS = 60  # of each side of a comparison
SIDE_WORDS = 4  # of each side of a "versus", which nothing else marks off
PART_WORDS = 3  # the fewest of a question joined to another
REFINED_CHARS = 800  # of a question; what is added to a longer one lies beyond the tokens that an embedder reads
_STOPS = " ,;?."

_A, _B = (rf"(?P<{side}>[^,;:?]{{2,{SIDE_CHARS}}}?)" for side in "ab")
_FEW = rf"(?:[^\s,;:?]+\s+){{0,{SIDE_WORDS - 1}}}?[^\s,;:?]+?"
_ON = r"(?P<shared>\s+(?:on|about|regarding|concerning)\s+[^,;:?]+?)?"
_END = r"\s*(?=[,;:?.]|$)"
_COMPARED = [
    re.compile(pattern, re.I)
    for pattern in (
        rf"\b(?:difference|relation|relationship|connection|distinction)s?\s+between\s+{_A}\s+and\s+{_B}{_ON}{_END}",
        rf"\b(?:compare|contrast|distinguish)s?\s+{_A}\s+(?:and|with|to|from)\s+{_B}{_ON}{_END}",
        rf"\b(?:do|does|did)\s+{_A}\s+differ\s+from\s+{_B}{_ON}{_END}",
        rf"^\W*(?:(?:how|why)\s+)?(?:is|are|was|were)\s+{_A}\s+(?:different\s+from|better\s+than|worse\s+than)\s+{_B}{_END}",
        rf"^(?:.*\b(?:is|are|about)\s+)?(?P<a>{_FEW})\s+(?:vs\.?|versus)\s+(?P<b>{_FEW}){_ON}{_END}",
    )
]
# The second of both ends with its article and title, its capitals ("Nine Lashes"), or its one word.
_BOTH = re.compile(
    rf"\bboth\s+{_A}\s+and\s+(?P<b>(?:(?:the|a|an|his|her)\s+)?"
    r"(?:[\"“][^\"”]+[\"”]|(?-i:[A-Z][^\s,;:?.]*(?:\s+(?:of\s+)?[A-Z\d][^\s,;:?.]*)*)|[^\s,;:?.]+))",
    re.I,
)
# A second question hung on the first by a conjunction: "Who was he, and why did he leave?"
_SECOND = re.compile(r"(?:,|;)?\s+(?:and|or|but)\s+(?=(?:who|whom|what|which|when|where|why|how)\b)|[?;]\s+", re.I)
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-ZĀĪŪŚṢṆÂÎÛ][\w’'-]+(?:\s+(?:of\s+)?[A-ZĀĪŪŚṢṆÂÎÛ][\w’'-]+)*")


def sub_questions(text: str) -> tuple[str, ...]:
    """Return what is compared, or the questions joined into one, each to be searched by itself; () for a plain one.

    At most MAX_PARTS, none empty. What both sides are compared on goes with each: "the Gita on forgiveness".
    """
    parts = _compared(text) or _joined(text)
    return parts[:MAX_PARTS] if len(parts) > 1 else ()


def _compared(text: str) -> tuple[str, ...]:
    if both := _BOTH.search(text):
        whole = (f"{text[: both.start()]}{both[side]}{text[both.end() :]}" for side in "ab")
        return tuple(part.strip(_STOPS) for part in whole)
    for pattern in _COMPARED:
        if found := pattern.search(text):
            shared = found.groupdict().get("shared") or ""
            return tuple(f"{found[side].strip()}{shared}" for side in "ab" if found[side].strip())
    return ()


def _joined(text: str) -> tuple[str, ...]:
    sentences = (text[start:end] for start, end in sentence_spans(text))
    parts = (part.strip(_STOPS) for sentence in sentences for part in _SECOND.split(sentence))
    return tuple(part for part in parts if len(part.split()) >= PART_WORDS)


def bridges(asked: str, sentences: Iterable[str], *, limit: int = MAX_PARTS) -> tuple[str, ...]:
    """Return second-look searches: the question with each name that the nearest sentences bring in and it lacks."""
    known = asked.casefold()
    names = dict.fromkeys(
        name for sentence in sentences for name in _NAME.findall(sentence) if name.casefold() not in known
    )
    return tuple(f"{asked} {name}" for name in list(names)[:limit])


def refinements(asked: str, sentences: Sequence[str], searched: Iterable[str], *, limit: int = MAX_PARTS) -> list[str]:
    """Return wordings for one more retrieval, none searched before: bridges first, then the nearest sentence itself."""
    if len(asked) > REFINED_CHARS:
        return []
    done = set(searched)
    wanted = [*bridges(asked, sentences, limit=limit), *(f"{asked} {sentence}" for sentence in sentences[:1])]
    return [wording for wording in wanted if wording not in done][:limit]
