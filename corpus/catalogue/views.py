"""The pages of lectures and works. Every page works without JavaScript."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from corpus.catalogue.links import paragraph_anchor
from corpus.catalogue.listing import listing
from corpus.catalogue.media import media_response
from corpus.domain.text.folding import fold
from corpus.models import Collection, Lecture, Section, Work

SECTIONS_BEFORE, SECTIONS_AFTER = 8, 32
MOST_TYPED = 200  # characters of an address or a title search


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words spoken from `start` to `end` seconds; None where the times are unknown."""

    text: str
    start: float | None = None
    end: float | None = None


@dataclass(frozen=True, slots=True)
class TranscriptParagraph:
    section: Section
    anchor: str
    phrases: tuple[Phrase, ...]


@require_safe
def lectures(request: HttpRequest) -> HttpResponse:
    """The works and lectures the reader may open, filtered by the words of `q` in the title."""
    title = request.GET.get("q", "").strip()[:MOST_TYPED]
    shown = listing(request.user, title, request.GET.get("page"))
    return render(request, "corpus/lectures.html", {"listing": shown, "title": title})


@require_safe
def lecture(request: HttpRequest, lecture_id: UUID) -> HttpResponse:
    """A transcript with its recording. 404 where the reader may not see the lecture."""
    shown = _visible_lecture(request, lecture_id)
    return render(request, "corpus/lecture.html", {"lecture": shown, "paragraphs": list(_paragraphs(shown))})


@require_safe
def lecture_media(request: HttpRequest, lecture_id: UUID) -> HttpResponseBase:
    shown = _visible_lecture(request, lecture_id)
    if not shown.media:
        raise Http404("This lecture has no recording.")
    try:
        return media_response(request, shown.media, version=f"{shown.pk}-{shown.updated_at.timestamp():.0f}")
    except FileNotFoundError as error:
        raise Http404("The recording of this lecture is missing from the media folder.") from error


@require_safe
def work(request: HttpRequest, work_id: UUID) -> HttpResponse:
    """The sections of a work around the address `at`, which is marked; without `at`, from the beginning."""
    visible = Collection.objects.visible_to(request.user)
    shown = get_object_or_404(Work.objects.exclude(state=Work.State.WITHDRAWN), pk=work_id, collection__in=visible)
    sections = shown.sections.order_by("ordinal")
    address = request.GET.get("at", "")[:MOST_TYPED]
    marked = sections.filter(address=address).first() or sections.filter(address_key=fold(address)).first()
    middle = marked.ordinal if marked else 0
    window = list(sections.filter(ordinal__range=(middle - SECTIONS_BEFORE, middle + SECTIONS_AFTER)))
    context = {
        "work": shown,
        "sections": window,
        "marked": marked,
        "unknown_address": address if address and not marked else "",
        "earlier": sections.filter(ordinal__lt=window[0].ordinal).last() if window else None,
        "later": sections.filter(ordinal__gt=window[-1].ordinal).first() if window else None,
    }
    return render(request, "corpus/work.html", context)


def _visible_lecture(request: HttpRequest, lecture_id: UUID) -> Lecture:
    visible = Collection.objects.visible_to(request.user)
    shown = Lecture.objects.exclude(state=Lecture.State.WITHDRAWN).select_related("collection")
    return get_object_or_404(shown, pk=lecture_id, collection__in=visible)


def _paragraphs(shown: Lecture) -> Iterator[TranscriptParagraph]:
    """The lecture's paragraphs, each with a unique anchor: that of its address, or of its ordinal on a clash."""
    anchors: set[str] = set()
    for section in shown.sections.order_by("ordinal"):
        anchor = paragraph_anchor(section.address)
        yield TranscriptParagraph(
            section, f"s-{section.ordinal}" if anchor in anchors else anchor, _phrases(section, shown)
        )
        anchors.add(anchor)


def _phrases(section: Section, lecture: Lecture) -> tuple[Phrase, ...]:
    """Split a paragraph at the lecture's cues; a paragraph whose text differs from the lecture's stays whole."""
    begin, end = section.char_start, section.char_end
    cues = [cue for cue in lecture.cues if cue[0] < end and cue[1] > begin]
    if not cues or lecture.text[begin:end] != section.text:
        return (Phrase(section.text, section.start, section.end),)
    edges = [begin, *(cue[0] for cue in cues[1:]), end]
    return tuple(
        Phrase(lecture.text[first:last], cue[2], cue[3])
        for (first, last), cue in zip(pairwise(edges), cues, strict=True)
    )
