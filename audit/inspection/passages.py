"""The passages of a turn as its auditor may read them: today's text, the marked spans, and the recording."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as _noop

from audit.domain.inspection.marked import excerpt, marked
from corpus.catalogue.links import clip_url, place_url
from corpus.domain.addresses.address import address_key
from corpus.domain.clock import clock
from corpus.domain.passage import Passage, Span
from corpus.domain.scope import Scope
from corpus.models import Chunk, Collection
from corpus.querysets import Reader
from corpus.selectors import passages, passages_by_key

GONE = _noop("No longer in the corpus, or not open to you")
_PARAGRAPH = re.compile(r"[:#\s](\d+)$")
Pieces = list[tuple[str, bool]]


@dataclass(frozen=True, slots=True)
class PlacedPassage:
    """A passage on the page. clip: the URL of its recording at the span, or None. is_gone: only `where` is known."""

    title: str
    where: str
    byline: str = ""
    language: str = ""
    url: str = ""
    clip: str | None = None
    pieces: tuple[tuple[str, bool], ...] = ()
    is_gone: bool = False

    @property
    def is_marked(self) -> bool:
        return any(is_marked for _, is_marked in self.pieces)


class TurnPassages:
    """Today's passages of the chunks that a trace names, read once, and only those in the auditor's collections."""

    def __init__(self, chunk_ids: Iterable[str], reader: Reader) -> None:
        wanted = list(dict.fromkeys(filter(None, map(_key, chunk_ids))))
        visible = Collection.objects.visible_to(reader).values("pk")
        allowed = set(Chunk.objects.filter(pk__in=wanted, collection__in=visible).values_list("pk", flat=True))
        self._found: Mapping[UUID, Passage] = {
            passage.chunk_id: passage for passage in passages([key for key in wanted if key in allowed])
        }

    def whole(self, chunk: str, address: str, spans: Sequence[Span] = ()) -> PlacedPassage:
        """The whole passage, with these spans of its text marked."""
        passage = self._found.get(_key(chunk) or UUID(int=0))
        if passage is None:
            return _gone(address)
        return _placed(passage, spans[0] if spans else (0, len(passage.text)), marked(passage.text, spans))

    def excerpt(self, chunk: str, address: str, span: Span) -> PlacedPassage:
        """The words of a span with a little of what stands around them."""
        passage = self._found.get(_key(chunk) or UUID(int=0))
        return _placed(passage, span, excerpt(passage.text, span)) if passage else _gone(address)

    def name(self, chunk: str, address: str) -> PlacedPassage:
        """Where a passage stands, without its text."""
        return self.whole(chunk, address)


def open_addresses(addresses: Sequence[str], reader: Reader) -> list[str]:
    """Those of the addresses at which this reader may read a passage, in their order. One query.

    The key of a source is a part of its addresses, and often its title.
    """
    visible = Scope(Collection.objects.keys_visible_to(reader))
    found = passages_by_key([address_key(address) for address in addresses], visible)
    return [address for address in addresses if address_key(address) in found]


def where_of(address: str, seconds: tuple[float, float] | None = None) -> str:
    """12:34, BG 2.13 or ¶ 9, as on the chips of the chat."""
    if seconds:
        return clock(seconds[0])
    paragraph = _PARAGRAPH.search(address)
    return f"¶ {paragraph[1]}" if paragraph and ":" in address else address


def _placed(passage: Passage, span: Span, pieces: Pieces) -> PlacedPassage:
    address = passage.address_at(span)
    where = where_of(address, passage.seconds_at(span)) if passage.kind == "lecture" else address
    byline = " · ".join(filter(None, (passage.speaker, passage.date, passage.place)))
    return PlacedPassage(passage.title, where, byline, passage.language, place_url(passage, span),
                         clip_url(passage, span), tuple(pieces))  # fmt: skip


def _gone(address: str) -> PlacedPassage:
    return PlacedPassage(_(GONE), where_of(address), is_gone=True)


def _key(chunk: str) -> UUID | None:
    try:
        return UUID(chunk)
    except ValueError:
        return None
