"""Lectures as JSON lines: one paragraph a line, or one whole text a line (BEIR)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corpus.domain.cleaning import clean, paragraphs_of
from corpus.domain.transcript import SourceParagraph

from .drafts import LectureDraft, Refused
from .reading import json_lines, parse_date

FACTS = ("title", "language", "speaker", "date", "place", "series")


def is_paragraph(record: dict[str, Any]) -> bool:
    return {"lecture", "text"} <= record.keys() and bool({"address", "para"} & record.keys())


def is_text(record: dict[str, Any]) -> bool:
    return "text" in record and bool({"_id", "id"} & record.keys())


def is_lecture_fact(record: dict[str, Any]) -> bool:
    return "lecture" in record and "text" not in record


def read_paragraphs(path: Path) -> Iterator[LectureDraft]:
    """Yield the lectures of a paragraphs.jsonl, with what a lectures.jsonl beside it says of them.

    A paragraph's address is its own `address`, or "<lecture>:<para>". Raises Refused at the first line that is wrong,
    before anything is yielded.
    """
    beside = path.with_name("lectures.jsonl")
    facts = {str(r["lecture"]): r for _, r in json_lines(beside) if "lecture" in r} if beside.is_file() else {}
    lectures: dict[str, list[SourceParagraph]] = {}
    seen: dict[str, int] = {}
    for number, record in json_lines(path):
        key = _string(record, "lecture", number)
        address = str(record.get("address") or f"{key}:{record.get('para')}")
        if address in seen:
            raise Refused(f"line {number} repeats the address {address} of line {seen[address]}; remove one")
        seen[address] = number
        facts.setdefault(key, record)
        text = clean(_string(record, "text", number))
        heading = clean(str(record.get("heading") or ""))
        if text:
            lectures.setdefault(key, []).append(
                SourceParagraph(text, clean(address), heading, clean(str(record.get("speaker") or "")))
            )
    for key, paragraphs in lectures.items():
        yield _lecture(path, clean(key), facts[key], tuple(paragraphs))


def read_texts(path: Path) -> Iterator[LectureDraft]:
    """Yield one lecture for each line {"_id" or "id", "title", "text"}; every paragraph has the id as its address.

    Raises Refused at the first line that is wrong, before anything is yielded.
    """
    seen: dict[str, int] = {}
    lectures: list[LectureDraft] = []
    for number, record in json_lines(path):
        key = clean(str(record.get("_id", record.get("id", ""))))
        if not key:
            raise Refused(f'line {number} has no "_id"; give each text one')
        if key in seen:
            raise Refused(f"line {number} repeats the id {key} of line {seen[key]}; remove one")
        seen[key] = number
        text = _string(record, "text", number)
        lectures.append(_lecture(path, key, record, tuple(SourceParagraph(p, key) for p in paragraphs_of(text))))
    yield from lectures


def _lecture(path: Path, key: str, record: dict[str, Any], paragraphs: tuple[SourceParagraph, ...]) -> LectureDraft:
    facts = {name: clean(str(record.get(name) or "")) for name in FACTS}
    return LectureDraft(
        file=f"{path} ({key})",
        key=key,
        title=facts["title"] or key,
        paragraphs=paragraphs,
        language=facts["language"] or "en",
        speaker=facts["speaker"],
        date=parse_date(facts["date"]),
        place=facts["place"],
        series=facts["series"],
    )


def _string(record: dict[str, Any], name: str, number: int) -> str:
    value = record.get(name)
    if not isinstance(value, str):
        raise Refused(f'line {number} has no text under "{name}"; add it')
    return value
