"""PDF: the text layer, page by page. A scanned page has none; no OCR is attempted."""

import logging
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence

from pypdf import PdfReader

from corpus.domain.text.cleaning import paragraphs_of, unix
from corpus.domain.text.line_breaks import unbroken
from corpus.domain.text.traced import TracedText, whole

from .drafts import LectureDraft
from .limits import MEGABYTE, check_expansion, source_bytes
from .plain import addressed
from .protocol import SourceFile
from .reading import LINE_LIMIT
from .refusal import ImportRefused

NAME = "PDF"
FILE_LIMIT = 64 * MEGABYTE  # with its pictures
PAGES_LIMIT = 5000
SECONDS_LIMIT = 300.0  # per file, so that a malicious page cannot block the worker
RUNNING_SHARE = 0.5  # a first or last line on this share of the pages is a running head
RUNNING_PAGES = 4  # in documents of at least this many pages

_PAGE_NUMBER = re.compile(r"[\W_]*(?:page\s+)?(?:\d{1,4}|[ivxlc]{1,7})[\W_]*", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_ENDS = re.compile(r"[.!?…।॥:][\"'”’)\]]*\s*$")
_SHORT = 0.75  # a sentence that ends on a line shorter than this share of the usual width ends a paragraph

logging.getLogger("pypdf").setLevel(logging.ERROR)  # pypdf warns of every fault it repairs


def recognizes(file: SourceFile) -> bool:
    return b"%PDF-" in file.head[:1024] or file.ending == ".pdf"


def read(file: SourceFile) -> Iterator[LectureDraft]:
    pages = _pages(file)
    if not any(c.isalnum() for page in pages for c in page):
        raise ImportRefused("has no text layer; run OCR and import it again")
    text = "\f".join(pages)
    kept = _without_running_lines(text)
    paragraphs = addressed(paragraphs_of(unbroken(_parted(kept))), text, file.key)
    yield LectureDraft(file.name, file.key, file.title, paragraphs, media=file.recording)


def _pages(file: SourceFile) -> list[str]:
    """The text of each page. Raises ImportRefused where the file is broken, locked or too large."""
    if file.path.stat().st_size > FILE_LIMIT:
        raise ImportRefused(f"is larger than {FILE_LIMIT // MEGABYTE} MB; split it")
    try:
        return _extracted(file)
    except ImportRefused:
        raise
    except (Exception, RecursionError) as error:  # pypdf raises anything on a broken file
        raise ImportRefused(f"is not a PDF that can be read ({type(error).__name__}); save it again as PDF") from error


def _extracted(file: SourceFile) -> list[str]:
    reader = PdfReader(file.path)
    if reader.is_encrypted and not reader.decrypt(""):
        raise ImportRefused("has a password; save it without one")
    if len(reader.pages) > PAGES_LIMIT:
        raise ImportRefused(f"has {len(reader.pages)} pages; the limit is {PAGES_LIMIT}, so split it")
    begun, size, pages = time.monotonic(), 0, []
    for number, page in enumerate(reader.pages, start=1):
        pages.append(page.extract_text().replace("\f", "\n"))
        size += len(pages[-1])
        check_expansion(pages[-1], f"page {number}")
        if len(pages[-1]) > LINE_LIMIT or size > source_bytes():
            raise ImportRefused(f"page {number} has too much text for a page; save it again as PDF")
        if time.monotonic() - begun > SECONDS_LIMIT:
            raise ImportRefused(
                f"takes longer than {SECONDS_LIMIT:.0f} s to read (page {number}); save it again or split it"
            )
    return pages


def _without_running_lines(text: str) -> TracedText:
    """The pages without page numbers and repeated headers and footers."""
    spans = _lines(text)
    lines = [text[start:end] for start, end in spans]
    edges = {n for page in _by_page(spans, text) for n in (page[0], page[-1])} if lines else set()
    repeated = Counter(_shape(lines[n]) for n in edges)
    pages = text.count("\f") + 1
    often = {shape for shape, count in repeated.items() if pages >= RUNNING_PAGES and count > RUNNING_SHARE * pages}
    dropped, before = [], ""
    for n, (line, after) in enumerate(zip(lines, [*lines[1:], ""], strict=True)):
        if n in edges and (_shape(line) in often or _is_page_number(line, before, after)):
            dropped.append(spans[n])
        else:
            before = line
    return _blanked(text, dropped)


def _is_page_number(line: str, before: str, after: str) -> bool:
    """A number alone, except where it ends the sentence of the line before it: "He left for Chicago in / 1893."."""
    is_end = before and not _ENDS.search(before) and _ENDS.search(line) and not after.lstrip()[:1].islower()
    return bool(_PAGE_NUMBER.fullmatch(line)) and not is_end


def _lines(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer(r"[^\n\f]*\S[^\n\f]*", text)]


def _by_page(lines: Sequence[tuple[int, int]], text: str) -> list[list[int]]:
    """Indexes of the lines of each non-empty page."""
    pages: list[list[int]] = []
    end = -1
    for index, (start, _) in enumerate(lines):
        if start > end:
            found = text.find("\f", start)
            end = found if found >= 0 else len(text)
            pages.append([])
        pages[-1].append(index)
    return pages


def _shape(line: str) -> str:
    return _DIGITS.sub("0", line.strip().casefold())


def _blanked(text: str, spans: Sequence[tuple[int, int]]) -> TracedText:
    """The text without the spans. The end of a page becomes the end of a line, as text continues on the next page."""
    gone = {start for start, _ in spans}
    drop = re.compile(r"[^\n\f]*\S[^\n\f]*|\f")
    return whole(text).replaced(
        drop, lambda match: "\n" if match[0] == "\f" else ("" if match.start() in gone else match[0])
    )


def _parted(text: TracedText) -> TracedText:
    """The text with a blank line at the end of each paragraph: after a sentence that ends on a short line."""
    text = unix(text).replaced(re.compile(r"\n\s*\n"), _page_seam)
    widths = sorted(len(line) for line in text.text.split("\n") if line.strip())
    usual = widths[int(len(widths) * 0.9)] if widths else 0
    line = re.compile(r"(?P<line>[^\n]*)\n(?!\s*\n)")

    def part(match: re.Match[str]) -> str:
        ends = _ENDS.search(match["line"]) and len(match["line"]) < _SHORT * usual
        return match[0] + "\n" if ends else match[0]

    return text.replaced(line, part)


def _page_seam(match: re.Match[str]) -> str:
    """Keep a blank line only after the end of a sentence or heading; pages break anywhere."""
    before = match.string[max(0, match.start() - 80) : match.start()].rsplit("\n", 1)[-1]
    after = match.string[match.end() : match.end() + 1]
    return "\n" if after.islower() and not _ENDS.search(before) else "\n\n"
