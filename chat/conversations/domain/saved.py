"""A stored turn as a saved file and a shared page show it: plain values, in which every text is still raw.

What was removed is counted, never repeated: a file is read far from the checks that removed it.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any

from chat.answering.domain.refusals import DISCLAIMER
from corpus.domain.clock import clock

Values = Mapping[str, Any]
Link = Callable[[str], str]  # from an address on this site to the whole of it
FILE_NAME_CHARS = 50
NUMBERED = re.compile(r"[0-9]{1,9}\.")
UNCHECKED = "Not checked"
VERDICTS = {  # with the next two, equal to static/js/words.js
    "quoted": "Quoted",
    "supported": "Verified",
    "checked": "Checked, in other words",
    "partial": "Partly supported",
    "inferred": "Inferred",
    "contradicted": "Source says otherwise",
    "unsupported": "Not supported",
    "conflicting": "Conflicting sources",
    "unchecked": UNCHECKED,
}
REPAIRS = {"moved": "source corrected by the check", "suggested": "source found by the check"}
WORD_FOR_WORD = "Word for word from"
STOPPED = "Stopped. What stands above was complete when it was shown."


@dataclass(frozen=True, slots=True)
class SavedSource:
    """A quote and where it stands. n: its number, 0 for a nearest moment. link: an address on this site, or ""."""

    n: int
    quote: str
    title: str
    facts: str
    link: str
    verdict: str
    language: str


@dataclass(frozen=True, slots=True)
class SavedSentence:
    """marks: what to know of it, in words. language: of a quoted one, else "". is_lead: of its clip, it answers."""

    text: str
    numbers: tuple[int, ...]
    marks: tuple[str, ...]
    language: str
    is_lead: bool = False


@dataclass(frozen=True, slots=True)
class SavedParagraph:
    """kind: heading, quotation, item, clip, or "" for an ordinary one. number: an item's, as "2.", else "".

    origin, numbers: of a clip, where it is from in words, and its citations; its sentences have none of their own.
    """

    kind: str
    number: str
    sentences: tuple[SavedSentence, ...]
    origin: str = ""
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SavedTurn:
    """corpus: the corpus version of its answer, "" where none is known. removed: how many sentences the checks took.

    notice: what introduces a closest passage, else "".
    """

    question: str
    asked_at: datetime
    corpus: str
    is_refusal: bool
    disclaimer: str
    notice: str
    paragraphs: tuple[SavedParagraph, ...]
    message: str
    searched: str
    nearest: tuple[SavedSource, ...]
    sources: tuple[SavedSource, ...]
    notes: tuple[str, ...]
    removed: int


def saved_turn(response: Values, outcome: str, question: str, asked_at: datetime, link: Link) -> SavedTurn:
    """Return an ended turn; `response` is what its reader may see of it."""
    sentences = response.get("sentences", ())
    is_general = any(sentence.get("kind") == "outside" for sentence in sentences)
    sources = () if is_general else response.get("citations", ())
    written = [sentence for sentence in sentences if not sentence.get("quoted")]
    said = {n for sentence in written for n in sentence["citations"]}
    unverified = {n for sentence in written if sentence.get("proof") != "verified" for n in sentence["citations"]}
    stopped = [STOPPED] if outcome == "interrupted" and sentences else []
    return SavedTurn(
        question=question,
        asked_at=asked_at,
        corpus=response.get("versions", {}).get("corpus", ""),
        is_refusal=outcome == "refused",
        disclaimer=DISCLAIMER if is_general else "",
        notice=response.get("message", "") if outcome == "closest_passage" and sentences else "",
        paragraphs=tuple(_paragraphs(sentences, {source["n"]: source for source in sources})),
        message="" if sentences else response.get("message", ""),
        searched=response.get("searched", "") if outcome == "refused" else "",
        nearest=tuple(_source(one, link, "") for one in response.get("nearest", ())),
        sources=tuple(
            _source(
                source, link, _verdict(source, quoted=source["n"] not in said, verified=source["n"] not in unverified)
            )
            for source in sources
        ),
        notes=(*stopped, *(warning["message"] for warning in response.get("warnings", ()))),
        removed=len(response.get("withheld", ())),
    )


def is_own(url: str) -> bool:
    """Is this the path of a page of this site, which no browser takes for another's or for a script?"""
    return url.startswith("/") and not url.startswith(("//", "/\\")) and url.isprintable()


def file_name(title: str, ending: str) -> str:
    """Return a name that every system takes for a file of its own: letters, marks and digits, joined by hyphens."""
    kept = "".join(char if unicodedata.category(char)[0] in "LMN" else " " for char in title.lower())
    words = "-".join(kept[:FILE_NAME_CHARS].split())
    return f"lectorium-{words or 'conversation'}.{ending}"


def _paragraphs(sentences: Iterable[Values], cited: Mapping[int, Values]) -> Iterable[SavedParagraph]:
    for _, group in groupby(sentences, key=lambda one: one.get("paragraph", 0)):
        parts = list(group)
        if all(part.get("clip") for part in parts):
            yield _clip(parts, cited)
            continue
        block = parts[0].get("block", "").strip()
        kind = {"": "", "#": "heading", ">": "quotation"}.get(block[:1], "item")
        follows = [False, *(bool(part.get("quoted")) for part in parts)]  # "Quoted" is said once where a run begins
        shown = tuple(_sentence(one, cited, follows=on) for one, on in zip(parts, follows, strict=False))
        yield SavedParagraph(kind, block if NUMBERED.fullmatch(block) else "", shown)


def _clip(sentences: Sequence[Values], cited: Mapping[int, Values]) -> SavedParagraph:
    """Return a clip, whose source is said once."""
    numbers = tuple(dict.fromkeys(n for sentence in sentences for n in sentence["citations"] if n in cited))
    shown = (replace(_sentence(sentence, cited, follows=True), numbers=()) for sentence in sentences)
    origin = ""
    if numbers:
        source = cited[numbers[0]]
        place = clock(source["start"]) if isinstance(source.get("start"), int | float) else source.get("address")
        parts = (source.get("title"), source.get("speaker"), place)
        origin = f"{WORD_FOR_WORD} {', '.join(str(part) for part in parts if part)}"
    return SavedParagraph("clip", "", tuple(shown), origin, numbers)


def _sentence(sentence: Values, cited: Mapping[int, Values], *, follows: bool) -> SavedSentence:
    numbers = tuple(n for n in sentence["citations"] if n in cited)
    quoted = bool(sentence.get("quoted"))
    marks = [VERDICTS["conflicting"]] if sentence.get("conflicting") else []
    if sentence.get("kind") == "factual" and not (quoted and follows):
        marks.insert(0, _verdict(sentence, quoted=quoted, verified=sentence.get("proof") == "verified"))
    if repair := REPAIRS.get(sentence.get("repair", "")):
        marks.append(repair)
    language = cited[numbers[0]].get("language", "") if quoted and numbers else ""
    return SavedSentence(sentence["text"], numbers, tuple(marks), language, bool(sentence.get("lead")))


def _source(source: Values, link: Link, verdict: str) -> SavedSource:
    moment = clock(source["start"]) if isinstance(source.get("start"), int | float) else ""
    facts = (source.get("speaker"), source.get("date"), source.get("place"), source.get("address"), moment)
    url = source.get("url", "")
    return SavedSource(
        n=source.get("n") or 0,
        quote=source["quote"],
        title=source.get("title", ""),
        facts=" · ".join(str(fact) for fact in facts if fact),
        link=link(url) if is_own(url) else "",
        verdict=verdict,
        language=source.get("language", ""),
    )


def _verdict(shown: Values, *, quoted: bool, verified: bool) -> str:
    if quoted:
        return VERDICTS["quoted"]
    verdict = shown.get("verdict", "")
    return VERDICTS["checked"] if verdict == "supported" and not verified else VERDICTS.get(verdict, UNCHECKED)
