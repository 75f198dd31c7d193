"""Shared by WebVTT and SubRip: turns the cues of a caption file into a timed lecture."""

import html
import re
from collections.abc import Sequence

from corpus.domain.cues import CueTimesError, SpokenCue, sounds, timed_paragraphs
from corpus.domain.text.traced import TracedText, whole

from .drafts import LectureDraft
from .protocol import SourceFile
from .reading import facts_in, lecture_of
from .refusal import ImportRefused, quoted_error

# Patterns must not backtrack: a file may have 64 MB.
_ARROW = re.compile(r"^.*-->.*$", re.MULTILINE)
_TAG = re.compile(r"</?[a-zA-Z][^>]{0,200}>|<\d[\d:.]*>|\{\\[^}]{0,200}\}")
_DASH = re.compile(r"^[^\S\n]*-\s+", re.MULTILINE)
_ENTITY = re.compile(r"&#?\w{1,32};")
_LINE_END = re.compile(r"\r\n?")


def lines_of(text: str) -> str:
    return _LINE_END.sub("\n", text)


def payloads(text: str, contents: Sequence[str], form: str) -> list[TracedText]:
    """The words of each cue, with their place in the file.

    Raises ImportRefused where the parser skipped cues, since a lecture with gaps would be quoted wrongly.
    """
    arrows = [match.span() for match in _ARROW.finditer(text)]
    if skipped := len(arrows) - len(contents):
        raise unreadable(len(arrows), skipped, form)
    befores = [*(start for start, _ in arrows[1:]), len(text)]
    places = zip(contents, arrows, befores[: len(arrows)], strict=True)
    return [plain(_placed(content, text, after, before)) for content, (_, after), before in places]


def unreadable(cues: int, skipped: int, form: str) -> ImportRefused:
    return ImportRefused(f"has {cues} cues, of which {skipped} cannot be read; write the times as {form}")


def timed_lecture(file: SourceFile, text: str, cues: Sequence[SpokenCue], facts: dict[str, str]) -> LectureDraft:
    """The lecture of these cues. Raises ImportRefused where their times are impossible."""
    try:
        paragraphs = timed_paragraphs(cues, file.key, text)
    except CueTimesError as error:
        raise ImportRefused(f"{quoted_error(error)}; correct the times") from error
    if not paragraphs:
        raise ImportRefused("contains no text; there is nothing to import")
    return lecture_of(file.name, file.key, file.title, facts, paragraphs, media=file.recording, sounds=sounds(cues))


def first_facts(blocks: Sequence[str]) -> dict[str, str]:
    """The facts of the first block that has any."""
    return next((facts for block in blocks if (facts := facts_in(block))), {})


def plain(payload: TracedText) -> TracedText:
    """A cue's words without tags and dashes, with entities decoded."""
    untagged = payload.replaced(_TAG, lambda _: "").replaced(_DASH, lambda _: "")
    return untagged.replaced(_ENTITY, lambda entity: html.unescape(entity[0]))


def _placed(content: str, text: str, after: int, before: int) -> TracedText:
    """A cue's words with their place between its timing line and the next, unless the parser changed them."""
    at = text.find(content, after, before)
    return whole(content, at) if at >= 0 else TracedText(content)
