"""References as editors type them and see them: addresses, moments and links on one side, passages on the other."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import parse_qs, unquote, urlsplit
from uuid import UUID

from django.db.models import Q

from corpus.catalogue.addresses import shelf
from corpus.catalogue.links import clip_url, place_url
from corpus.domain.addresses.address import address_key, address_keys
from corpus.domain.addresses.parsing import addresses_in, without_addresses
from corpus.domain.passage import Passage, Span
from corpus.domain.scope import Scope
from corpus.models import Chunk, Lecture
from corpus.selectors import ANYWHERE, passages, passages_by_key

QUOTED = 400  # characters of a passage in the form
_MOMENT = re.compile(r"(?P<lecture>.+?)\s*(?:@|\s)\s*(?P<clock>(?:\d+:)?\d{1,2}:\d{2})")
_LINK = re.compile(r"/(?P<kind>lectures|works)/(?P<id>[0-9a-f-]{36})/?$")


@dataclass(frozen=True, slots=True)
class ReferenceView:
    """A reference as its passage. Without one, `is_hidden` tells that it stands where the editor may not read."""

    address: str
    passage: Passage | None = None
    span: Span = (0, 0)
    is_hidden: bool = False

    @property
    def quote(self) -> str:
        words = self.passage.text[slice(*self.span)] if self.passage else ""
        return words if len(words) <= QUOTED else f"{words[:QUOTED].rsplit(' ', 1)[0]}…"

    @property
    def seconds(self) -> float | None:
        spoken = self.passage.seconds_at(self.span) if self.passage else None
        return spoken[0] if spoken else None

    @property
    def place(self) -> str:
        return place_url(self.passage, self.span) if self.passage else ""

    @property
    def clip(self) -> str:
        return (clip_url(self.passage, self.span) or "") if self.passage else ""


def reference_views(addresses: Sequence[str], scope: Scope) -> list[ReferenceView]:
    """Each address as its passage, in this order. At most two queries."""
    keys = [address_key(address) for address in addresses]
    seen = passages_by_key(keys, scope)
    missing = [key for key in keys if key not in seen]
    elsewhere = passages_by_key(missing).keys() if missing and scope != ANYWHERE else ()
    return [
        passage_view(address, seen[key]) if key in seen else ReferenceView(address, is_hidden=key in elsewhere)
        for address, key in zip(addresses, keys, strict=True)
    ]


def places_named(text: str, scope: Scope) -> list[str]:
    """The addresses that a typed reference means, none where it means nothing in the scope.

    It may be an address in any spelling (BG 2.13-15, Gita 2:13), a moment of a lecture (first-steps @ 12:34), or a
    link to a lecture or a verse.
    """
    typed = text.strip()
    if not address_key(typed):
        return []
    if found := passages_by_key([address_key(typed)], scope):
        return [_standing_address(typed, *found.values())]
    if link := _LINK.search(urlsplit(typed).path):
        return _linked(typed, link["kind"], UUID(link["id"]), scope) if _is_uuid(link["id"]) else []
    if moment := _MOMENT.fullmatch(typed):
        title, seconds = moment["lecture"].rstrip(":"), _seconds(moment["clock"])
        if at := _moment(Q(key=title) | Q(title__iexact=title), seconds, scope):
            return [at]
    return _spelled(typed, scope)


def passage_view(address: str, passage: Passage) -> ReferenceView:
    """The passage, or of several paragraphs the one at the address."""
    key = address_key(address)
    spans = [(held.start, held.end) for held in passage.paragraphs if key in address_keys(held.address)]
    return ReferenceView(address, passage, spans[0] if spans else (0, len(passage.text)))


def _standing_address(typed: str, passage: Passage) -> str:
    """The address as its source spells it."""
    key = address_key(typed)
    return next((address for address in passage.addresses if address_key(address) == key), typed)


def _spelled(typed: str, scope: Scope) -> list[str]:
    mentions = addresses_in(typed, shelf(scope.collections).book)
    if not mentions or address_key(without_addresses(typed, mentions)):
        return []
    addresses = [address for mention in mentions for address in mention.addresses]
    standing = passages_by_key([address_key(address) for address in addresses], scope)
    return [address for address in addresses if address_key(address) in standing]


def _linked(link: str, kind: str, source: UUID, scope: Scope) -> list[str]:
    parts = urlsplit(link)
    if kind == "works":
        return [
            address for address in parse_qs(parts.query).get("at", ()) if passages_by_key([address_key(address)], scope)
        ]
    if parts.fragment.startswith("t=") and (start := parts.fragment[2:].split(",")[0]).replace(".", "", 1).isdecimal():
        at = _moment(Q(pk=source), float(start), scope)
        return [at] if at else []
    paragraph = unquote(parts.fragment).removeprefix("p-")
    chunks = Chunk.objects.within(scope, duplicates=True).filter(lecture=source)
    ids = list(chunks.order_by("ordinal").values_list("pk", flat=True))
    held = (address for passage in passages(ids) for address in passage.addresses)
    return [address for address in held if address.rsplit(":", 1)[-1] == paragraph][:1]


def _moment(lecture: Q, seconds: float, scope: Scope) -> str | None:
    """The address of what is said at a second of a lecture."""
    found = Lecture.objects.filter(lecture).values_list("pk", flat=True)[:2]
    chunks = Chunk.objects.within(scope, duplicates=True).filter(lecture__in=list(found)).order_by("ordinal")
    for passage in passages(list(chunks.values_list("pk", flat=True))):
        for cue in passage.cues:
            if cue.start_s <= seconds < max(cue.end_s, cue.start_s + 1):
                return passage.address_at((cue.start, cue.end))
    return None


def _seconds(clock: str) -> int:
    *hours, minutes, seconds = map(int, clock.split(":"))
    return sum(hours) * 3600 + minutes * 60 + seconds


def _is_uuid(text: str) -> bool:
    try:
        return bool(UUID(text))
    except ValueError:
        return False
