"""What one source and one file may cost, as the operator set it. Every refusal names the setting."""

from pathlib import Path

from django.conf import settings

from corpus.domain.text.cleaning import expanded_length

from .refusal import ImportRefused

MEGABYTE = 1 << 20
UPLOAD_LIMIT = 2048 * MEGABYTE  # of an upload, and of a recording; these are large
EXPANSION_LIMIT = 2  # times; NFKC shortens text, except for ligatures such as U+FDFA, which become whole phrases
SHORT = 2_000  # characters; shorter texts may expand as they like


class SourceSize:
    """Adds up the texts of one source; one character counts as one byte."""

    def __init__(self) -> None:
        self._rows = self._chars = 0

    def add(self, *texts: str) -> None:
        """Count a paragraph or verse. Raises ImportRefused once the source is too large."""
        self._rows += 1
        self._chars += sum(map(len, texts))
        if self._rows > settings.SOURCE_ROWS:
            raise ImportRefused(
                f"has more than {settings.SOURCE_ROWS:,} paragraphs or verses in one source (LECTORIUM_SOURCE_ROWS); "
                "split it"
            )
        if self._chars > source_bytes():
            raise ImportRefused(
                f"has more than {settings.SOURCE_MB} MB of text in one source (LECTORIUM_SOURCE_MB); split it"
            )


def source_bytes() -> int:
    return int(settings.SOURCE_MB * MEGABYTE)


def file_bytes() -> int:
    return int(settings.FILE_MB * MEGABYTE)


def check_file_size(path: Path) -> None:
    """Raise ImportRefused where a file of many sources is too large."""
    if (size := path.stat().st_size) > file_bytes():
        raise ImportRefused(
            f"is {size // MEGABYTE} MB; a file may have {settings.FILE_MB} MB (LECTORIUM_FILE_MB), so split it"
        )


def check_rows(count: int, entries: int = 0) -> None:
    """Raise ImportRefused where a file has too many rows, or too many pins, notes and facts, which are dearer."""
    if count > settings.FILE_ROWS:
        raise ImportRefused(f"has more than {settings.FILE_ROWS:,} rows (LECTORIUM_FILE_ROWS); split it")
    if entries > settings.FILE_ENTRIES:
        raise ImportRefused(
            f"has more than {settings.FILE_ENTRIES:,} pins, notes and facts (LECTORIUM_FILE_ENTRIES); split it"
        )


def check_expansion(text: str, place: str = "") -> None:
    """Raise ImportRefused where cleaning would make a text much longer than its file."""
    if len(text) > SHORT and (expanded := expanded_length(text)) > EXPANSION_LIMIT * len(text):
        where = f"has in {place}" if place else "has"
        raise ImportRefused(
            f"{where} characters that stand for whole phrases, such as U+FDFA: {len(text):,} characters become "
            f"{expanded:,}; write them out or remove them"
        )
