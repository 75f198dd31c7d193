"""The part of a source around a citation, as a fragment of HTML for the pane beside an answer.

Readers see exactly the sources whose pages they may open.
"""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from corpus.catalogue.languages import by_language
from corpus.catalogue.lecture_search import MOST_TYPED, asked_search, search_lecture
from corpus.catalogue.reading import (
    NOTHING_FOUND,
    lecture_window,
    transcript_paragraphs,
    visible_lecture,
    visible_work,
    work_window,
)
from corpus.catalogue.verse_lectures import discussing


@require_safe
@never_cache
def lecture_pane(request: HttpRequest, lecture_id: UUID) -> HttpResponse:
    """The paragraphs around the address `at`, or around the first place of the words `q`. 400 for too long a search."""
    lecture, search = visible_lecture(request.user, lecture_id), asked_search(request)
    found = search_lecture(lecture, search.query) if search.is_valid else None
    at = request.GET.get("at", "")[:MOST_TYPED] or (found.paragraphs[0].address if found and found.paragraphs else "")
    window = lecture_window(lecture, at)
    context = {
        "source": lecture,
        "page": reverse("lecture", args=[lecture.pk]),
        "window": window,
        "paragraphs": transcript_paragraphs(lecture, window.sections, found.places if found else NOTHING_FOUND),
        "has_recording": lecture.has_recording,
        "search": search,
        "found": found,
    }
    return render(request, "corpus/_pane.html", context, status=400 if search.problem else 200)


@require_safe
@never_cache
def work_pane(request: HttpRequest, work_id: UUID) -> HttpResponse:
    """The sections around the address `at`, and the lectures that discuss it."""
    work = visible_work(request.user, work_id)
    window = work_window(work, request.GET.get("at", "")[:MOST_TYPED])
    context = {
        "source": work,
        "page": reverse("work", args=[work.pk]),
        "window": window,
        "discussing": discussing(request, window.marked),
    }
    return by_language(render(request, "corpus/_pane.html", context))
