"""Works of addressed verses as JSON, with an optional file of facts beside them."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from corpus.domain.addresses.address import last_verse
from corpus.domain.text.cleaning import clean, clean_lines, lines_cleaned
from corpus.domain.text.traced import whole

from .drafts import VerseDraft, WorkDraft
from .limits import SourceSize
from .protocol import SourceFile
from .reading import read_text
from .records import ENDINGS, first_record, records
from .refusal import ImportRefused, quoted_error

NAME = "verses as JSON"
FACTS = ".meta.json"  # appended to the stem of the file it describes
DESCRIBED_IN = ("SOURCE.md", "README.md")
NUMBER_LIMIT = 9999  # of a chapter or verse; questions name no larger ones
PLAIN_NAMES = ("verses", "work", "text")  # a file with such a name is titled after its folder


def recognizes(file: SourceFile) -> bool:
    if not (file.ending in ENDINGS or file.text.startswith("{")):
        return False
    try:
        return _is_verse(first_record(file.path))
    except ImportRefused:
        return False


def read(file: SourceFile) -> Iterator[WorkDraft]:
    """The work in a file of verses. Raises ImportRefused, naming the place of the fault.

    Each record is {"ref", "chapter", "verse"} with "text", or with "iast" and "sanskrit" lines as text and original;
    with all three, the text is a translation. A "commentary" follows the text under the same address. The facts come
    from NAME.meta.json: key, title, language, translator, abbreviation, chapters. Without a title there, it is the
    first heading of the folder's SOURCE.md or README.md, or else the name.
    """
    path = file.path
    facts = _facts(path.with_name(f"{path.stem}{FACTS}"))
    verses = tuple(_verses(path, str(facts.get("abbreviation") or "")))
    named = path.resolve().parent.name if path.stem in PLAIN_NAMES else path.stem
    yield WorkDraft(
        file=file.name,
        key=clean(str(facts.get("key") or named)),
        title=clean(str(facts.get("title") or _heading_beside(path) or file.title_of(named))),
        verses=verses,
        language=clean(str(facts.get("language") or ("sa" if any(v.original for v in verses) else "en"))),
        abbreviation=clean(str(facts.get("abbreviation") or "")) or abbreviation_of(verses),
        translator=clean(str(facts.get("translator") or "")),
        books=books_of(verses, facts.get("chapters")),
    )


def _is_verse(record: dict[str, Any]) -> bool:
    return {"ref", "chapter", "verse"} <= record.keys()


def _heading_beside(path: Path) -> str:
    """The first heading of the page that describes a file titled after its folder; "" without one."""
    pages = (path.with_name(name) for name in DESCRIBED_IN) if path.stem in PLAIN_NAMES else ()
    for page in pages:
        if page.is_file():
            lines = read_text(page).splitlines()
            return next((line.lstrip("# ").strip() for line in lines if line.startswith("# ")), "")
    return ""


def _facts(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        facts = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise ImportRefused(f"has a broken {path.name} beside it ({quoted_error(error)}); correct it") from error
    if not isinstance(facts, dict) or not isinstance(facts.get("chapters", {}), dict):
        raise ImportRefused(f"has a {path.name} beside it that is not an object of facts; correct it")
    return facts


def _verses(path: Path, abbreviation: str) -> Iterable[VerseDraft]:
    seen: dict[str, str] = {}
    size = SourceSize()
    for place, record in records(path):
        verse = _verse(record, place, abbreviation)
        size.add(verse.text, verse.original)
        if verse.address in seen:
            raise ImportRefused(f"{place} repeats {verse.address} of {seen[verse.address]}; remove one")
        seen[verse.address] = place
        yield verse


def _verse(record: dict[str, Any], place: str, abbreviation: str) -> VerseDraft:
    if not _is_verse(record):
        raise ImportRefused(f'{place} lacks "ref", "chapter" or "verse"; add them')
    address = clean(str(record["ref"]))
    spoken = "text" if record.get("text") else "iast", "commentary"
    written = "\n\n".join(filter(None, (_lines(record, name, place) for name in spoken)))
    words = lines_cleaned(whole(written))
    if not words.text or not address:
        raise ImportRefused(f'{place} has no words under "text" or "iast"; add them or remove it')
    try:
        chapter, verse = int(record["chapter"]), int(record["verse"])
    except (TypeError, ValueError, OverflowError) as error:
        raise ImportRefused(f"{place} has a chapter or verse that is not a number; correct it") from error
    if not (0 <= chapter <= NUMBER_LIMIT and 0 <= verse <= NUMBER_LIMIT):
        raise ImportRefused(f"{place} has a chapter or verse that is not a number up to {NUMBER_LIMIT}; correct it")
    return VerseDraft(
        address=address,
        book=clean(str(record.get("book") or abbreviation or address.rpartition(" ")[0])),
        chapter=chapter,
        verse=verse,
        text=words.text,
        original=clean_lines(_original(record, place)),
        speaker=clean(str(record.get("speaker_iast") or record.get("speaker") or ""))[:200],
        source=words.source_in(written),
    )


def _original(record: dict[str, Any], place: str) -> str:
    """The original verse, in both scripts where the text is a translation."""
    scripts = ["sanskrit" if record.get("sanskrit") else "original", *(["iast"] if record.get("text") else [])]
    return "\n".join(filter(None, (_lines(record, name, place) for name in scripts)))


def _lines(record: dict[str, Any], name: str, place: str) -> str:
    """The text or joined lines under a name. Raises ImportRefused for any other value."""
    value = record.get(name) or ""
    lines = value if isinstance(value, list) else [value]
    if not all(isinstance(line, str) for line in lines):
        raise ImportRefused(f'{place} has a "{name}" that is neither text nor lines of text; correct it')
    return "\n".join(lines)


def abbreviation_of(verses: tuple[VerseDraft, ...]) -> str:
    """The common book of all verses as the work's abbreviation, if short: the BG of BG 2.13."""
    books = {verse.book for verse in verses if verse.book}
    name = books.pop() if len(books) == 1 else ""
    return name if len(name) <= 20 else ""


def books_of(verses: tuple[VerseDraft, ...], chapters: dict[str, Any] | None = None) -> dict[str, dict[str, int]]:
    """Verses by chapter, from the facts for a work of one book, else up to the highest verse."""
    books: dict[str, dict[str, int]] = {}
    for verse in verses:
        if verse.chapter is not None and verse.verse is not None:
            counts = books.setdefault(verse.book, {})
            last = last_verse(verse.address, verse.verse)
            counts[str(verse.chapter)] = max(counts.get(str(verse.chapter), 0), last)
    if chapters and len(books) == 1:
        try:
            return {book: {str(int(c)): int(n) for c, n in chapters.items()} for book in books}
        except (TypeError, ValueError, OverflowError) as error:
            raise ImportRefused('has "chapters" in its facts that are not counts of verses; correct them') from error
    return books
