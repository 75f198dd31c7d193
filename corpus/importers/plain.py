"""Lectures without times: plain text and Markdown."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from corpus.domain.cleaning import clean, paragraphs_of
from corpus.domain.transcript import SourceParagraph

from .drafts import LectureDraft
from .reading import facts_in, parse_date
from .timed import recording_of, title_of

_FRONT = re.compile(r"\A---\s*\n(?P<facts>.*?)\n---\s*(?:\n|\Z)", re.DOTALL)


def read_plain(path: Path, text: str, key: str) -> LectureDraft:
    """Return the lecture of a plain text file: paragraphs are parted by blank lines."""
    paragraphs = tuple(
        SourceParagraph(words, f"{key}:{number}") for number, words in enumerate(paragraphs_of(text), start=1)
    )
    return LectureDraft(str(path), key, title_of(path), paragraphs, media=recording_of(path))


def read_markdown(path: Path, text: str, key: str) -> LectureDraft:
    """Return the lecture of a Markdown file; facts may stand in a front matter of `name: value` lines."""
    text = text.replace("\r\n", "\n")
    front = _FRONT.match(text)
    facts = facts_in(front["facts"]) if front else {}
    title, blocks = _blocks(text[front.end() :] if front else text)
    return LectureDraft(
        file=str(path),
        key=key,
        title=facts.get("title") or title or title_of(path),
        paragraphs=tuple(
            SourceParagraph(words, f"{key}:{number}", heading)
            for number, (heading, words) in enumerate(blocks, start=1)
        ),
        language=facts.get("language", "en"),
        speaker=facts.get("speaker", ""),
        date=parse_date(facts.get("date", "")),
        place=facts.get("place", ""),
        series=facts.get("series", ""),
        media=recording_of(path),
    )


def _blocks(text: str) -> tuple[str, list[tuple[str, str]]]:
    """Return the title (the first heading, where it leads) and (heading, paragraph) pairs."""
    title, heading, blocks = "", "", []
    for kind, words in _inlines(MarkdownIt("commonmark", {"html": False}).parse(text)):
        if kind != "heading_open":
            blocks.append((heading, words))
        elif not title and not blocks:
            title = words
        else:
            heading = words
    return title, blocks


def _inlines(tokens: list[Token]) -> Iterator[tuple[str, str]]:
    """Yield (opening token, cleaned text) of each heading and paragraph that has words."""
    for opening, token in pairwise(tokens):
        if token.type == "inline" and (words := clean(_text(token))):
            yield opening.type, words


def _text(token: Token) -> str:
    breaks = {"softbreak": "\n", "hardbreak": "\n", "text": None, "code_inline": None, "image": None}
    return "".join(breaks[t.type] or t.content for t in token.children or () if t.type in breaks)
