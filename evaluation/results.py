"""docs/results.md, put together from one file a suite, so that a suite can be run again by itself."""

from collections.abc import Iterable
from pathlib import Path

from django.conf import settings

LEADING = ("golden", "ingest")
PART = "\n### "
HEAD = """# Results

Every figure here was measured by a command that stands beside it; none is typed by hand. What missed its goal says so.

"""


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
    """Store a suite's section, rewrite the page with it, and return the section's text."""
    text = "\n".join(lines) + "\n"
    write_section(name, text)
    compose()
    return text


def compose() -> Path:
    """Rewrite docs/results.md from the sections, the product's answers first; return its path."""
    page = folder().parent / "results.md"
    paths = sorted(folder().glob("*.md"), key=lambda path: (path.stem not in LEADING, path.stem))
    sections = [path.read_text(encoding="utf-8").strip() for path in paths]
    page.write_text(HEAD + "\n\n".join(sections) + "\n", encoding="utf-8")
    return page.relative_to(settings.BASE_DIR)
