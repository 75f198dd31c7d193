"""How an importer refuses a file, or a source in it."""

QUOTED_ERROR_CHARS = 200  # characters of a library's error in a refusal


class ImportRefused(Exception):
    """A file, or a source in it, cannot be imported. The message says what, where and what to do."""


def quoted_error(error: Exception) -> str:
    """A library's error message, shortened to fit a sentence; it may quote half the file."""
    said = str(error)
    return said if len(said) <= QUOTED_ERROR_CHARS else f"{said[:QUOTED_ERROR_CHARS]}…"
