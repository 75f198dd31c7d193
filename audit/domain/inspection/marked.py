"""Marks spans in a passage's text, for pages that show which words decided."""

from collections.abc import Iterable, Sequence

Span = tuple[int, int]
AROUND = 160  # characters shown on each side of a marked span in an excerpt


def marked(text: str, spans: Iterable[Sequence[int]]) -> list[tuple[str, bool]]:
    """The text in pieces, (piece, whether it is marked); spans may overlap, and are cut to the text."""
    pieces, at = list[tuple[str, bool]](), 0
    for start, end in sorted((span[0], span[1]) for span in spans):
        start, end = max(start, at), min(end, len(text))
        if start >= end:
            continue
        pieces += [(text[at:start], False), (text[start:end], True)]
        at = end
    return [piece for piece in (*pieces, (text[at:], False)) if piece[0]]


def excerpt(text: str, span: Sequence[int], around: int = AROUND) -> list[tuple[str, bool]]:
    """The marked span with up to `around` characters on each side, cut between words."""
    start, end = max(0, min(span[0], len(text))), max(0, min(span[1], len(text)))
    first, last = max(0, start - around), min(len(text), end + around)
    if first:
        first = text.find(" ", first, start) + 1 or start
    if last < len(text):
        found = text.rfind(" ", end, last)
        last = found if found >= 0 else end
    pieces = marked(text[first:last], [(start - first, end - first)])
    before, after = [("… ", False)] if first else [], [(" …", False)] if last < len(text) else []
    return [*before, *pieces, *after]
