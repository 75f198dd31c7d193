"""What WebVTT and SubRip share: from the cues of a caption file to a lecture with times."""

import html
import re
from collections.abc import Sequence

from corpus.domain.cues import CueTimesError, SpokenCue, sounds, timed_paragraphs
from corpus.domain.text.traced import TracedText, whole

from .drafts import ImportRefused, LectureDraft, quoted_error
from .protocol import SourceFile
from .reading import facts_in, lecture_of

# No pattern may read a stretch again for each place it could begin at: a file is up to 64 MB.
_ARROW = re.compile(r"^.*-->.*$", re.MULTILINE)
_TAG = re.compile(r"</?[a-zA-Z][^>]{0,200}>|<\d[\d:.]*>|\{\\[^}]{0,200}\}")
_DASH = re.compile(r"^[^\S\n]*-\s+", re.MULTILINE)
_ENTITY = re.compile(r"&#?\w{1,32};")
_LINE_END = re.compile(r"\r\n?")


def lines_of(text: str) -> str:
    """Return the text with every line ended by a line feed."""
    return _LINE_END.sub("\n", text)


def payloads(text: str, contents: Sequence[str], form: str) -> list[TracedText]:
    """Return the words of each cue, with where they stand in the file.

    Raises ImportRefused where the parser skipped cues: a lecture with holes would be quoted wrongly.
    """
    arrows = [match.end() for match in _ARROW.finditer(text)]
    if skipped := len(arrows) - len(contents):
        raise unreadable(len(arrows), skipped, form)
    return [plain(_placed(content, text, after)) for content, after in zip(contents, arrows, strict=True)]


def unreadable(cues: int, skipped: int, form: str) -> ImportRefused:
    return ImportRefused(f"has {cues} cues, of which {skipped} cannot be read; write the times as {form}")


def timed_lecture(file: SourceFile, text: str, cues: Sequence[SpokenCue], facts: dict[str, str]) -> LectureDraft:
    """Return the lecture of these cues. Raises ImportRefused where they cannot be true."""
    try:
        paragraphs = timed_paragraphs(cues, file.key, text)
    except CueTimesError as error:
        raise ImportRefused(f"{quoted_error(error)}; correct the times") from error
    if not paragraphs:
        raise ImportRefused("holds no words; there is nothing to import")
    return lecture_of(file.name, file.key, file.title, facts, paragraphs, media=file.recording, sounds=sounds(cues))


def first_facts(blocks: Sequence[str]) -> dict[str, str]:
    """Return the facts of the first block that states any."""
    return next((facts for block in blocks if (facts := facts_in(block))), {})


def plain(payload: TracedText) -> TracedText:
    """Return a cue's words without tags and dashes, and with entities as what they stand for."""
    untagged = payload.replaced(_TAG, lambda _: "").replaced(_DASH, lambda _: "")
    return untagged.replaced(_ENTITY, lambda entity: html.unescape(entity[0]))


def _placed(content: str, text: str, after: int) -> TracedText:
    """Return a cue's words with their place in the file: at once after its line of times, unless the parser altered."""
    at = text.find(content, after)
    return whole(content, at) if at >= 0 else TracedText(content)
