"""URLs of a citation: its place in the transcript, and its recording."""

from urllib.parse import quote

from django.urls import reverse

from corpus.domain.passage import Passage, Span

LEAD_IN_SECONDS = 2  # the same as in static/js/format.js


def paragraph_anchor(address: str) -> str:
    """The HTML anchor of a paragraph: "p-" and the part of its address after the last colon."""
    return f"p-{address.rsplit(':', 1)[-1]}"


def place_url(passage: Passage, span: Span) -> str:
    """The page of the passage's source, at the second or the paragraph of `span`."""
    if passage.kind != "lecture":
        return f"{reverse('work', args=[passage.source_id])}?at={quote(passage.address_at(span))}"
    page = reverse("lecture", args=[passage.source_id])
    seconds = passage.seconds_at(span)
    if seconds:
        return f"{page}#t={seconds[0]:g},{seconds[1]:g}"
    return f"{page}#{paragraph_anchor(passage.address_at(span))}"


def media_url(passage: Passage) -> str | None:
    return reverse("lecture_media", args=[passage.source_id]) if passage.media else None


def clip_url(passage: Passage, span: Span) -> str | None:
    """The recording from shortly before `span` to its end; None without a recording or times."""
    media, seconds = media_url(passage), passage.seconds_at(span)
    if not media or not seconds:
        return None
    return f"{media}#t={max(0, seconds[0] - LEAD_IN_SECONDS):g},{seconds[1]:g}"
