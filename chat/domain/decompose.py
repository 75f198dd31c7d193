"""Takes a question apart by rules: what is compared, what is asked beside it, and what a second look should search."""

import re
from collections.abc import Iterable, Sequence

MAX_PARTS = 3

_SIDE = r"[^,;?]{2,60}?"
_COMPARED = re.compile(
    rf"\b(?:difference|differences|relation|relationship|connection|distinction)\s+between\s+"
    rf"(?P<a>{_SIDE})\s+and\s+(?P<b>{_SIDE})\s*(?=[,;?.]|$)|"
    rf"\b(?:compare|contrast|distinguish)s?\s+(?P<c>{_SIDE})\s+(?:and|with|to|from)\s+(?P<d>{_SIDE})\s*(?=[,;?.]|$)|"
    rf"\bdid\s+both\s+(?P<e>{_SIDE})\s+and\s+(?P<f>{_SIDE})\s+(?P<done>[^?]+)",
    re.I,
)
# A second question hung on the first by a conjunction: "Who was he, and why did he leave?"
_SECOND = re.compile(
    r"(?:,|;)?\s+(?:and|or|but)\s+(?=(?:who|whom|what|which|when|where|why|how)\b)|[?.;]\s+(?=\S)", re.I
)
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-ZĀĪŪŚṢṆÂÎÛ][\w’'-]+(?:\s+(?:of\s+)?[A-ZĀĪŪŚṢṆÂÎÛ][\w’'-]+)*")


def sub_questions(text: str) -> tuple[str, ...]:
    """Return what is compared, or the questions joined into one, each to be searched by itself; () for a plain one."""
    compared = _COMPARED.search(text)
    if compared:
        done = f" {compared['done'].strip()}" if compared["done"] else ""
        sides = [side for name in "abcdef" if (side := compared[name])]
        return tuple(f"{side.strip()}{done}" for side in sides)[:MAX_PARTS]
    parts = [part.strip(" ,;?.") for part in _SECOND.split(text)]
    whole = [part for part in parts if len(part.split()) >= 3]
    return tuple(whole[:MAX_PARTS]) if len(whole) > 1 else ()


def bridges(asked: str, sentences: Iterable[str], *, limit: int = MAX_PARTS) -> tuple[str, ...]:
    """Return second-look searches: the question with each name that the nearest sentences bring in and it lacks."""
    known = asked.casefold()
    names = dict.fromkeys(
        name for sentence in sentences for name in _NAME.findall(sentence) if name.casefold() not in known
    )
    return tuple(f"{asked} {name}" for name in list(names)[:limit])


def refinements(asked: str, sentences: Sequence[str], searched: Iterable[str], *, limit: int = MAX_PARTS) -> list[str]:
    """Return wordings for one more retrieval, none searched before: bridges first, then the nearest sentence itself."""
    done = set(searched)
    wanted = [*bridges(asked, sentences, limit=limit), *(f"{asked} {sentence}" for sentence in sentences[:1])]
    return [wording for wording in wanted if wording not in done][:limit]
