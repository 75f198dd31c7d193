"""Markdown: paragraphs under their headings, and facts as front matter between `---` lines."""

import re
from collections.abc import Iterator
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

from corpus.domain.cleaning import clean, cleaned
from corpus.domain.traced import Piece, Traced, joined, whole

from .captions import lines_of
from .drafts import LectureDraft
from .plain import addressed
from .protocol import SourceFile
from .reading import facts_in, lecture_of, read_text

NAME = "Markdown"
_FRONT = re.compile(r"\A---[^\S\n]*\n(?P<facts>.*?)\n---[^\S\n]*(?:\n|\Z)", re.DOTALL)
_HEADING = re.compile(r"^#{1,6} \S", re.MULTILINE)
# text_join would merge an escape or entity into the text around it, and its place would be lost.
_PARSER = MarkdownIt("commonmark", {"html": False}).disable("text_join")
_BREAKS = ("softbreak", "hardbreak")


def recognizes(file: SourceFile) -> bool:
    if file.ending in (".md", ".markdown"):
        return True
    return file.ending in (".txt", "") and bool(_FRONT.match(lines_of(file.text)) or _HEADING.search(file.text))


def read(file: SourceFile) -> Iterator[LectureDraft]:
    text = lines_of(read_text(file.path))
    front = _FRONT.match(text)
    facts = facts_in(front["facts"]) if front else {}
    title, blocks = _blocks(text, front.end() if front else 0)
    headings = [heading for heading, _ in blocks]
    paragraphs = addressed([words for _, words in blocks], text, file.key, headings)
    yield lecture_of(file.name, file.key, title or file.title, facts, paragraphs, media=file.recording)


def _blocks(text: str, start: int) -> tuple[str, list[tuple[str, Traced]]]:
    """Return the title (the first heading, where it leads) and (heading, paragraph) pairs of what follows `start`."""
    title, heading, blocks = "", "", []
    for kind, words in _inlines(_PARSER.parse(text[start:]), text, start):
        if kind != "heading_open":
            blocks.append((heading, words))
        elif not title and not blocks:
            title = clean(words.text)
        else:
            heading = clean(words.text)
    return title, blocks


def _inlines(tokens: list[Token], text: str, start: int) -> Iterator[tuple[str, Traced]]:
    """Yield (opening token, words) of each heading and paragraph that has any, in the order of the text."""
    line_starts = [start, *(match.end() for match in re.compile("\n").finditer(text, start))]
    for opening, token in pairwise(tokens):
        if token.type == "inline" and token.map:
            words = cleaned(_words(token, text, line_starts[token.map[0]]))
            if words.text:
                yield opening.type, words


def _words(inline: Token, text: str, position: int) -> Traced:
    """Return what an inline token says; each stretch stands where its own source is next found."""
    parts = []
    for child in inline.children or ():
        if child.type in _BREAKS:
            at = text.find("\n", position)
            parts.append(Traced("\n", (Piece(0, 1, at, at + 1),) if at >= 0 else ()))
            position = at + 1 if at >= 0 else position
        elif child.type in ("text", "text_special", "code_inline", "image") and child.content:
            written = child.markup if child.type == "text_special" else child.content
            at = text.find(written, position)
            if at < 0:
                parts.append(Traced(child.content))
                continue
            position = at + len(written)
            same = child.content == written
            parts.append(
                whole(written, at) if same else Traced(child.content, (Piece(0, len(child.content), at, position),))
            )
    return joined(parts)
