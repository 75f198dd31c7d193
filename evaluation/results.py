"""Writes docs/results: one page per suite, so that suites can be run separately. docs/results.md is written by hand."""

from collections.abc import Iterable
from pathlib import Path

from django.conf import settings

PART = "\n### "


def folder() -> Path:
    return Path(settings.BASE_DIR) / "docs" / "results"


def publish(name: str, lines: Iterable[str]) -> str:
    """Write a suite's page and return its text."""
    text = "\n".join(lines).rstrip("\n") + "\n"
    folder().mkdir(parents=True, exist_ok=True)
    (folder() / f"{name}.md").write_text(text, encoding="utf-8")
    return text


def publish_picture(name: str, svg: str) -> None:
    folder().mkdir(parents=True, exist_ok=True)
    (folder() / f"{name}.svg").write_text(svg, encoding="utf-8")


def publish_part(name: str, head: str, title: str, lines: Iterable[str], *, expected: Iterable[str] = ()) -> None:
    """Write one part of a suite's page under its title, keeping the parts that other runs wrote.

    expected: titles of all parts; the page names those that no run has measured yet.
    """
    path = folder() / f"{name}.md"
    stored = path.read_text(encoding="utf-8").split(PART)[1:] if path.is_file() else []
    parts = {heading: body.strip() for heading, _, body in (text.partition("\n") for text in stored)}
    parts[title] = "\n".join(lines).strip()
    missing = [heading for heading in expected if heading not in parts]
    head = head.strip() + (f" Not measured yet: {', '.join(missing)}." if missing else "")
    publish(name, [head, *(f"{PART}{heading}\n\n{body}" for heading, body in sorted(parts.items()))])
