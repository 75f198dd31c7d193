"""docs/results: one page a suite, so that a suite can be run again by itself. docs/results.md is written by hand."""

from collections.abc import Iterable
from pathlib import Path

from django.conf import settings

PART = "\n### "


def folder() -> Path:
    """Return where the sections lie."""
    return Path(settings.BASE_DIR) / "docs" / "results"


def write_section(name: str, text: str) -> None:
    """Store a suite's section."""
    folder().mkdir(parents=True, exist_ok=True)
    (folder() / f"{name}.md").write_text(text, encoding="utf-8")


def write_part(name: str, head: str, title: str, text: str, *, expected: Iterable[str] = ()) -> None:
    """Store one part of a suite's section under its title; the parts that other runs have written stay.

    expected: titles of every part there should be; the section says which of them no run has measured.
    """
    path = folder() / f"{name}.md"
    stored = path.read_text(encoding="utf-8").split(PART)[1:] if path.is_file() else []
    parts = {name: body.strip() for name, _, body in (one.partition("\n") for one in stored)} | {title: text.strip()}
    lacking = [one for one in expected if one not in parts]
    head = head.strip() + (f" Not measured yet: {', '.join(lacking)}." if lacking else "")
    written = (f"{PART}{name}\n\n{body}" for name, body in sorted(parts.items()))
    write_section(name, head + "\n" + "\n".join(written) + "\n")


def publish(name: str, lines: Iterable[str]) -> str:
    """Store a suite's section and return its text."""
    text = "\n".join(lines) + "\n"
    write_section(name, text)
    return text
