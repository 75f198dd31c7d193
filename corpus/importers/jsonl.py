"""Lectures as JSON: one paragraph per record, or one whole text per record (BEIR)."""

import datetime
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from django.conf import settings

from corpus.domain.speech import NOISE
from corpus.domain.text.cleaning import clean, cleaned, paragraphs_of
from corpus.domain.text.traced import whole
from corpus.domain.transcript import SourceParagraph

from .drafts import LectureDraft
from .limits import SourceSize, source_bytes
from .protocol import SourceFile
from .reading import lecture_of, parse_date
from .records import ENDINGS, first_record, records
from .refusal import ImportRefused

NAME = "JSON"
FACTS = ("title", "language", "speaker", "date", "place", "series", "summary")


def recognizes(file: SourceFile) -> bool:
    return file.ending in ENDINGS or (file.text.startswith("{") and not file.text.startswith("{\\rtf"))


def read(file: SourceFile) -> Iterator[LectureDraft]:
    first = first_record(file.path)
    if {"lecture", "text"} <= first.keys() and {"address", "para"} & first.keys():
        yield from _read_paragraphs(file)
    elif "text" in first and {"_id", "id"} & first.keys():
        yield from _read_texts(file)
    elif "lecture" in first and "text" not in first:
        raise ImportRefused("only describes lectures; import the paragraphs.jsonl that belongs beside it")
    else:
        raise ImportRefused('has records with neither "lecture" and "text" nor "_id" and "text"; see docs/editors.md')


def _read_paragraphs(file: SourceFile) -> Iterator[LectureDraft]:
    """The lectures of a paragraphs.jsonl, with the facts of a lectures.jsonl beside it.

    A paragraph's address is its `address`, or "<lecture>:<para>". Reads the file twice: the first pass raises
    ImportRefused at an invalid record, the second holds one lecture at a time.
    """
    beside = file.path.with_name("lectures.json" if file.ending == ".json" else "lectures.jsonl")
    facts = {str(r["lecture"]): r for _, r in records(beside) if "lecture" in r} if beside.is_file() else {}
    last: dict[str, str] = {}
    seen: dict[str, str] = {}
    sizes: defaultdict[str, SourceSize] = defaultdict(SourceSize)
    before, is_sorted = "", True
    for place, record in records(file.path):
        key, address = _string(record, "lecture", place), _address(record)
        is_sorted, before = is_sorted and (key == before or key not in last), key
        if address in seen:
            raise ImportRefused(f"{place} repeats the address {address} of {seen[address]}; remove one")
        sizes[key].add(_string(record, "text", place))
        if key not in last:
            _date(facts.setdefault(key, _only_facts(record)))
        seen[address] = last[key] = place
    if not is_sorted and file.path.stat().st_size > source_bytes():
        raise ImportRefused(
            f"is larger than {settings.SOURCE_MB} MB (LECTORIUM_SOURCE_MB) and mixes its lectures; put the paragraphs "
            "of each lecture together"
        )
    seen.clear()
    lectures: dict[str, list[SourceParagraph]] = {}
    for place, record in records(file.path):
        key = record["lecture"]
        paragraphs = lectures.setdefault(key, [])
        if paragraph := _paragraph(record, record["text"], _address(record)):
            paragraphs.append(paragraph)
        if last[key] == place:
            yield _lecture(file, clean(key), facts[key], tuple(lectures.pop(key)))


def _address(record: dict[str, Any]) -> str:
    return clean(str(record.get("address") or f"{record['lecture']}:{record.get('para')}"))


def _paragraph(record: dict[str, Any], text: str, address: str) -> SourceParagraph | None:
    words = cleaned(whole(text).replaced(NOISE, lambda _: " "))
    heading, speaker = clean(str(record.get("heading") or "")), clean(str(record.get("speaker") or ""))
    return SourceParagraph(words.text, address, heading, speaker, (), words.source_in(text)) if words.text else None


def _read_texts(file: SourceFile) -> Iterator[LectureDraft]:
    """One lecture per record {"_id" or "id", "title", "text"}; every paragraph has the id as its address.

    Reads the file twice, and raises ImportRefused at an invalid record before yielding anything.
    """
    seen: set[int] = set()  # hashes, since a file may have a million ids
    for place, record in records(file.path):
        key = _id(record)
        if not key:
            raise ImportRefused(f'{place} has no "_id"; give each text one')
        if hash(key) in seen and (first := next(at for at, other in records(file.path) if _id(other) == key)) != place:
            raise ImportRefused(f"{place} repeats the id {key} of {first}; remove one")
        seen.add(hash(key))
        _string(record, "text", place)
        _date(record)
    seen.clear()
    for _, record in records(file.path):
        key, text = _id(record), record["text"]
        paragraphs = (SourceParagraph(p.text, key, "", "", (), p.source_in(text)) for p in paragraphs_of(whole(text)))
        yield _lecture(file, key, record, tuple(paragraphs))


def _id(record: dict[str, Any]) -> str:
    return clean(str(record.get("_id", record.get("id", ""))))


def _facts(record: dict[str, Any]) -> dict[str, str]:
    return {name: clean(str(record.get(name) or "")) for name in FACTS}


def _date(record: dict[str, Any]) -> datetime.date | None:
    return parse_date(clean(str(record.get("date") or "")))


def _only_facts(record: dict[str, Any]) -> dict[str, Any]:
    return {name: record[name] for name in FACTS if name in record}


def _lecture(
    file: SourceFile, key: str, record: dict[str, Any], paragraphs: tuple[SourceParagraph, ...]
) -> LectureDraft:
    return lecture_of(f"{file.name} ({key})", key, key, _facts(record), paragraphs)


def _string(record: dict[str, Any], name: str, place: str) -> str:
    value = record.get(name)
    if not isinstance(value, str):
        raise ImportRefused(f'{place} has no text under "{name}"; add it')
    return value
