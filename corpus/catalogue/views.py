"""The pages of lectures and works. Every page works without JavaScript."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from corpus.catalogue.languages import by_language, languages_of
from corpus.catalogue.lecture_search import MOST_TYPED, asked_search, search_lecture
from corpus.catalogue.listing import listing
from corpus.catalogue.media import media_response
from corpus.catalogue.reading import (
    NOTHING_FOUND,
    transcript_paragraphs,
    visible_lecture,
    visible_work,
    work_window,
)
from corpus.catalogue.verse_lectures import discussing
from corpus.curated_port import put_in_words, questions_about


@require_safe
def lectures(request: HttpRequest) -> HttpResponse:
    """The works and lectures the reader may open, filtered by the words of `q` in the title."""
    title = request.GET.get("q", "").strip()[:MOST_TYPED]
    shown = listing(request.user, title, request.GET.get("page"))
    put_in_words(shown.lectures, ("title",), languages_of(request))
    return by_language(render(request, "corpus/lectures.html", {"listing": shown, "title": title}))


@require_safe
def lecture(request: HttpRequest, lecture_id: UUID) -> HttpResponse:
    """A transcript with its recording, and the places of the words `q` in it. 404 where the reader may not see it.

    400 for too long a search; the page explains.
    """
    shown, search = visible_lecture(request.user, lecture_id), asked_search(request)
    found = search_lecture(shown, search.query) if search.is_valid else None
    put_in_words([shown], ("title", "summary"), languages_of(request))
    context = {
        "lecture": shown,
        "paragraphs": transcript_paragraphs(shown, found=found.places if found else NOTHING_FOUND),
        "search": search,
        "found": found,
        "questions": questions_about(request.user, shown),
    }
    return by_language(render(request, "corpus/lecture.html", context, status=400 if search.problem else 200))


@require_safe
def lecture_media(request: HttpRequest, lecture_id: UUID) -> HttpResponseBase:
    shown = visible_lecture(request.user, lecture_id)
    if not shown.media:
        raise Http404("This lecture has no recording.")
    try:
        return media_response(request, shown.media, version=f"{shown.pk}-{shown.updated_at.timestamp():.0f}")
    except FileNotFoundError as error:
        raise Http404("The recording of this lecture is missing from the media folder.") from error


@require_safe
def work(request: HttpRequest, work_id: UUID) -> HttpResponse:
    """The sections of a work around the address `at`, which is marked; without `at`, from the beginning."""
    shown, address = visible_work(request.user, work_id), request.GET.get("at", "")[:MOST_TYPED]
    window = work_window(shown, address)
    context = {
        "work": shown,
        "sections": window.sections,
        "marked": window.marked,
        "unknown_address": address if address and not window.marked else "",
        "earlier": window.earlier,
        "later": window.later,
        "window": window,
        "page": request.path,
        "discussing": discussing(request, window.marked),
    }
    return by_language(render(request, "corpus/work.html", context))
