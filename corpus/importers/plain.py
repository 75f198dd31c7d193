"""Plain text: paragraphs separated by blank lines."""

import re
from collections.abc import Iterator

from corpus.domain.speech import NOISE, lifted
from corpus.domain.text.cleaning import cleaned, paragraphs_of, unix
from corpus.domain.text.line_breaks import unbroken
from corpus.domain.text.traced import TracedText, whole
from corpus.domain.transcript import SourceParagraph

from .drafts import LectureDraft
from .protocol import SourceFile
from .reading import read_text
from .refusal import ImportRefused

NAME = "plain text"
_NOT_A_TEXT = (
    (re.compile(r"\s*(?:<!doctype html|<html)", re.IGNORECASE), "is a web page; save its text as .txt or .md"),
    (re.compile(r"\s*<\?xml"), "is XML; save its text as .txt or .md"),
    (re.compile(r"\s*\{\\rtf"), "is a Rich Text file; save it as .txt or .md"),
)


def recognizes(file: SourceFile) -> bool:
    return file.ending in (".txt", ".text") or (not file.ending and bool(file.text))


def read(file: SourceFile) -> Iterator[LectureDraft]:
    text = read_text(file.path)
    if remedy := next((remedy for mark, remedy in _NOT_A_TEXT if mark.match(text)), ""):
        raise ImportRefused(remedy)
    words = addressed(paragraphs_of(unbroken(unix(whole(text)))), text, file.key)
    yield LectureDraft(file.name, file.key, file.title, words, media=file.recording)


def addressed(
    paragraphs: list[TracedText], source: str, key: str, headings: list[str] | None = None
) -> tuple[SourceParagraph, ...]:
    """The paragraphs with speech, addressed "<key>:<n>" from 1, with speaker labels moved out of the text."""
    quiet = [cleaned(paragraph.replaced(NOISE, lambda _: " ")) for paragraph in paragraphs]
    spoken = [
        (heading, speaker, words)
        for heading, (speaker, words) in zip(headings or [""] * len(quiet), lifted(quiet), strict=True)
        if words.text
    ]
    return tuple(
        SourceParagraph(words.text, f"{key}:{number}", heading, speaker, (), words.source_in(source))
        for number, (heading, speaker, words) in enumerate(spoken, start=1)
    )
