"""Where a reader goes from a citation: the place in the transcript, and the recording where there is one."""

from urllib.parse import quote

from django.urls import reverse

from corpus.domain.anchor import paragraph_anchor
from corpus.domain.passage import Passage, Span

LEAD_IN_SECONDS = 2  # as static/js/format.js has it


def place_url(passage: Passage, span: Span) -> str:
    """Return the page of the passage's source, at the second or the paragraph of `span`."""
    if passage.kind != "lecture":
        return f"{reverse('work', args=[passage.source_id])}?at={quote(passage.address_at(span))}"
    page = reverse("lecture", args=[passage.source_id])
    seconds = passage.seconds_at(span)
    if seconds:
        return f"{page}#t={seconds[0]:g},{seconds[1]:g}"
    return f"{page}#{paragraph_anchor(passage.address_at(span))}"


def media_url(passage: Passage) -> str | None:
    """Return where the recording is served, or None without one."""
    return reverse("lecture_media", args=[passage.source_id]) if passage.media else None


def clip_url(passage: Passage, span: Span) -> str | None:
    """Return the recording from a little before the words of `span` to their end; None without it or times."""
    media, seconds = media_url(passage), passage.seconds_at(span)
    if not media or not seconds:
        return None
    return f"{media}#t={max(0, seconds[0] - LEAD_IN_SECONDS):g},{seconds[1]:g}"
