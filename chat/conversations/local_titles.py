"""Titles of lectures in a reader's language, put beside the original whenever places are sent to that reader."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from corpus.domain.local_text import LocalText
from curation.translations.selectors import LectureTitle, translated_titles


def with_translated_titles(values: Any, languages: Sequence[str]) -> Any:
    """JSON-ready values in which each place of a lecture has its `translated_title`, where there is one.

    languages: those that the reader wants, the most wanted first.
    """
    found = translated_titles(set(_titles(values)), languages) if languages else {}
    return _with(values, found) if found else values


def _titles(values: Any) -> Iterator[LectureTitle]:
    if isinstance(values, Mapping):
        if title := _title_of(values):
            yield title
        values = values.values()
    elif not isinstance(values, list | tuple):
        return
    for value in values:
        yield from _titles(value)


def _title_of(values: Mapping[str, Any]) -> LectureTitle | None:
    """The title of a lecture's place; None of anything else."""
    if values.get("kind") != "lecture" or "url" not in values:
        return None
    return values.get("title") or "", values.get("language") or ""


def _with(values: Any, found: Mapping[LectureTitle, LocalText]) -> Any:
    if isinstance(values, list | tuple):
        return [_with(value, found) for value in values]
    if not isinstance(values, Mapping):
        return values
    copied = {name: _with(value, found) for name, value in values.items()}
    title = _title_of(values)
    return {**copied, "translated_title": asdict(found[title])} if title and title in found else copied
