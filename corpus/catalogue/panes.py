"""The part of a source around a citation, as a fragment of HTML for the pane beside an answer.

Readers see exactly the sources whose pages they may open.
"""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from corpus.catalogue.reading import lecture_window, transcript_paragraphs, visible_lecture, visible_work, work_window
from corpus.catalogue.views import MOST_TYPED


@require_safe
@never_cache
def lecture_pane(request: HttpRequest, lecture_id: UUID) -> HttpResponse:
    """The paragraphs around the address `at`."""
    lecture = visible_lecture(request.user, lecture_id)
    window = lecture_window(lecture, request.GET.get("at", "")[:MOST_TYPED])
    context = {
        "source": lecture,
        "page": reverse("lecture", args=[lecture.pk]),
        "window": window,
        "paragraphs": transcript_paragraphs(lecture, window.sections),
        "has_recording": lecture.has_recording,
    }
    return render(request, "corpus/_pane.html", context)


@require_safe
@never_cache
def work_pane(request: HttpRequest, work_id: UUID) -> HttpResponse:
    """The sections around the address `at`."""
    work = visible_work(request.user, work_id)
    window = work_window(work, request.GET.get("at", "")[:MOST_TYPED])
    context = {"source": work, "page": reverse("work", args=[work.pk]), "window": window}
    return render(request, "corpus/_pane.html", context)
