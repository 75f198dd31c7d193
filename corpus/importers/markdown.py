"""Markdown: paragraphs under headings, with facts as front matter between `---` lines."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from corpus.domain.text.cleaning import cleaned, paragraphs_of
from corpus.domain.text.traced import TracedPiece, TracedText, joined, whole

from .captions import lines_of
from .drafts import LectureDraft
from .plain import addressed
from .protocol import SourceFile
from .reading import facts_in, lecture_of, read_text
from .refusal import ImportRefused

NAME = "Markdown"
_FRONT = re.compile(r"\A---[^\S\n]*\n(?=[\w-]+[^\S\n]*:)(?P<facts>.*?)\n---[^\S\n]*(?:\n|\Z)", re.DOTALL)
_HEADING = re.compile(r"^#{1,6} \S", re.MULTILINE)
# text_join would merge escapes and entities into the surrounding text and lose their place.
_PARSER = MarkdownIt("commonmark", {"html": False, "inline_definitions": True}).disable("text_join")
STEPS_LIMIT = 500_000  # of the parser, which takes a thousand bytes for each mark, line and paragraph
# "[Ann]: Yes." is speech, though the grammar reads it as a link definition.
_LINK = re.compile(r"[a-z][a-z0-9+.-]*:|[/#.]|[^/]*/|[^/]*\.[a-z]{2,4}$", re.IGNORECASE)
_LINE = re.compile("\n")
_BREAKS = ("softbreak", "hardbreak")
_FAR = 10_000  # characters that a part of an inline token is sought in; what the parser changed is nowhere


def _count_step(state: StateBlock | StateInline, *_: object) -> bool:
    """A rule of the parser that matches nothing. Raises ImportRefused where a text has too many marks."""
    steps = state.env["steps"] = state.env.get("steps", 0) + 1
    if steps > STEPS_LIMIT:
        raise ImportRefused(
            f"has more than {STEPS_LIMIT:,} marks, lines and paragraphs of Markdown; split it or save it as plain text"
        )
    return False


_PARSER.block.ruler.before("code", "count_step", _count_step)
_PARSER.inline.ruler.before("text", "count_step", _count_step)


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


def _blocks(text: str, start: int) -> tuple[str, list[tuple[str, TracedText]]]:
    """The title (a leading heading), and (heading, paragraph) pairs of the text after `start`.

    Consecutive headings are joined; trailing headings become paragraphs.
    """
    title, heading, blocks = "", "", []
    waiting: list[TracedText] = []  # headings without a paragraph so far
    for is_heading, words in _said(_PARSER.parse(text[start:]), text, start):
        if not is_heading:
            heading = " · ".join(text.text for text in waiting) or heading
            blocks.append((heading, words))
            waiting = []
        elif not title and not blocks:
            title = words.text
        else:
            waiting.append(words)
    return title, [*blocks, *((heading, words) for words in waiting)]


def _said(tokens: list[Token], text: str, start: int) -> Iterator[tuple[bool, TracedText]]:
    """(is a heading, words) of every block with text, in order."""
    line_starts = [start, *(match.end() for match in _LINE.finditer(text, start)), len(text)]
    number = ""  # number of a list item, as in "1776. A great year"
    for opening, token in pairwise([Token("", "", 0), *tokens]):
        first, last = token.map or (0, 0)
        stretch = whole(text[line_starts[first] : line_starts[last]], line_starts[first])
        for words in _paragraphs(token, stretch, text):
            if words.text:
                marked = joined([_found(number, stretch), words], " ") if number else words
                yield opening.type == "heading_open", marked
                number = ""
        if token.type == "list_item_open":
            number = f"{token.info}{token.markup}" if token.info else ""


def _paragraphs(token: Token, stretch: TracedText, text: str) -> Sequence[TracedText]:
    """The text of a token, read from this stretch of the file."""
    if token.type == "inline" and stretch.pieces:
        return [cleaned(_words(token, text, stretch.pieces[0].source_start, stretch.pieces[-1].source_end))]
    if token.type in ("code_block", "fence"):
        return paragraphs_of(_as_written(token, stretch))
    if token.type == "definition" and not _LINK.match(token.meta["url"]):
        return [cleaned(stretch)]
    return ()


def _as_written(block: Token, stretch: TracedText) -> TracedText:
    """The lines of an indented or fenced block, as verse is often written, each located in the file."""
    opening, *below = source = stretch.split(_LINE)
    lines = list(zip(block.content.split("\n"), below if block.type == "fence" else source, strict=False))
    if " " in block.info.strip():  # a single word is the name of a language
        lines.insert(0, (block.info, opening))
    return joined([_found(line.strip(), where) for line, where in lines], "\n")


def _found(written: str, stretch: TracedText) -> TracedText:
    """`written` with its place in the stretch; without one where the parser changed it."""
    at = stretch.text.find(written)
    return stretch.cut(at, at + len(written)) if at >= 0 else TracedText(written)


def _words(inline: Token, text: str, position: int, end: int) -> TracedText:
    """The text of an inline token, each part at the next occurrence of its source in [position, end)."""
    parts = []
    for child in inline.children or ():
        if child.type in _BREAKS:
            at = text.find("\n", position, end)
            parts.append(TracedText("\n", (TracedPiece(0, 1, at, at + 1),) if at >= 0 else ()))
            position = at + 1 if at >= 0 else position
        elif child.type in ("text", "text_special", "code_inline", "image") and child.content:
            written = child.markup if child.type == "text_special" else child.content
            at = text.find(written, position, min(end, position + len(written) + _FAR))
            if at < 0:
                parts.append(TracedText(child.content))
                continue
            position = at + len(written)
            same = child.content == written
            parts.append(
                whole(written, at)
                if same
                else TracedText(child.content, (TracedPiece(0, len(child.content), at, position),))
            )
    return joined(parts)
