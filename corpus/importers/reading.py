"""Safely opens text of unknown encoding and size."""

import codecs
import datetime
import re
from collections.abc import Mapping
from pathlib import Path

from charset_normalizer import CharsetMatch, from_bytes
from django.conf import settings

from corpus.domain.cues import Sound
from corpus.domain.text.cleaning import clean
from corpus.domain.transcript import SourceParagraph

from .drafts import LectureDraft
from .limits import MEGABYTE, check_expansion, source_bytes
from .refusal import ImportRefused

LINE_LIMIT = 4 * MEGABYTE  # one record
HEAD = 4096  # bytes by which a format is recognised
CP1252_MARGIN = 0.1  # cp1252 wins within this margin: short French text is otherwise guessed as Baltic

_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_FACT = re.compile(
    r"^\s*(?P<name>title|speaker|date|place|language|series|summary)\s*:\s*(?P<value>.*)$", re.IGNORECASE
)


def read_text(path: Path) -> str:
    """The text of a file. Raises ImportRefused where it is too large, empty or in an unknown encoding."""
    try:
        size = path.stat().st_size
        if size > source_bytes():
            raise ImportRefused(
                f"is {size / MEGABYTE:.0f} MB; one source may have {settings.SOURCE_MB} MB (LECTORIUM_SOURCE_MB), "
                "so split it"
            )
        text = decode(path.read_bytes())
    except OSError as error:
        raise ImportRefused(f"cannot be read ({error.strerror}); check its permissions") from error
    check_expansion(text)
    longest = max(map(len, text.split("\n")), default=0)
    if longest > LINE_LIMIT:
        raise ImportRefused(
            f"has a line of {longest // MEGABYTE} MB; the limit is {LINE_LIMIT // MEGABYTE} MB, so split it"
        )
    return text


def beginning(path: Path) -> tuple[bytes, str]:
    """The first bytes of a file, and the same as text, "" for a binary file. Raises ImportRefused for an empty one."""
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
    except OSError as error:
        raise ImportRefused(f"cannot be read ({error.strerror}); check its permissions") from error
    if not head.strip():
        raise ImportRefused("is empty")
    encoding = next((name for mark, name in _MARKS if head.startswith(mark)), "utf-8")
    is_binary = encoding != "utf-16" and b"\0" in head
    return head, "" if is_binary else head.decode(encoding, "replace").lstrip("\ufeff \r\n")


def decode(data: bytes) -> str:
    """`data` decoded by its byte-order mark, as UTF-8, or as the likeliest encoding. Raises ImportRefused."""
    if not data.strip():
        raise ImportRefused("is empty")
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding).lstrip("\ufeff \r\n")
    except UnicodeDecodeError:
        guess = None if b"\0" in data or encoding != "utf-8" else _likeliest(data)
    if guess is None:
        raise ImportRefused("has an unknown encoding; save it as UTF-8")
    return str(guess)


def _likeliest(data: bytes) -> CharsetMatch | None:
    """The best guess, or Windows-1252, by far the most common, if nearly as good."""
    guesses = from_bytes(data)
    best = guesses.best()
    tied = (
        guess for guess in guesses if best and guess.encoding == "cp1252" and guess.chaos <= best.chaos + CP1252_MARGIN
    )
    return next(tied, best)


def facts_in(text: str) -> dict[str, str]:
    """The lines `name: value` with the name of a fact (title, speaker, date, …); other lines are ignored."""
    matches = (_FACT.match(line) for line in text.splitlines())
    return {match["name"].lower(): clean(match["value"]) for match in matches if match and match["value"]}


def lecture_of(
    file: str,
    key: str,
    title: str,
    facts: Mapping[str, str],
    paragraphs: tuple[SourceParagraph, ...],
    *,
    media: Path | None = None,
    sounds: tuple[Sound, ...] = (),
) -> LectureDraft:
    """A lecture with these facts; `title` is the default. Raises ImportRefused for an invalid date."""
    return LectureDraft(
        file=file,
        key=key,
        title=facts.get("title") or title,
        paragraphs=paragraphs,
        language=facts.get("language") or "en",
        speaker=facts.get("speaker", ""),
        date=parse_date(facts.get("date", "")),
        place=facts.get("place", ""),
        series=facts.get("series", ""),
        summary=facts.get("summary", ""),
        media=media,
        sounds=sounds,
    )


def parse_date(value: str) -> datetime.date | None:
    """An ISO date, or None for an empty value. Raises ImportRefused otherwise."""
    if not value:
        return None
    try:
        return datetime.date.fromisoformat(value)
    except ValueError as error:
        raise ImportRefused(f"has the date {value[:40]!r}; write it as YYYY-MM-DD") from error
