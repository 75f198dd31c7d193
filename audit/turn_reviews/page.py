"""The review queue as pages: the next turn to decide, and what the decisions came to. Works without JavaScript."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from audit.inspection.turn_story import READ_TURN, turn_story
from audit.models import ReviewItem, TurnAudit
from audit.turn_reviews.queue import items_add
from audit.turn_reviews.results import review_results
from audit.turn_reviews.services import BadReview, open_items, review_give
from audit.views import for_auditors
from lectorium.texts.local_text import local_text

REVIEW = "audit.add_turnreview"


def may_review(request: HttpRequest) -> bool:
    return request.user.has_perms([REVIEW, READ_TURN])


@require_safe
@never_cache
@for_auditors
def review_next(request: HttpRequest) -> HttpResponse:
    """Lead to the next turn that this reviewer can decide, skipped ones last; an empty queue is a page."""
    if not may_review(request):
        raise PermissionDenied
    waiting = open_items(request.user.pk or 0)
    skipped = [key for key in request.session.get(SKIPPED, []) if isinstance(key, str)]
    item = waiting.exclude(pk__in=skipped).first() or waiting.first()
    if item is None:
        return render(request, "audit/review/empty.html")
    return redirect("audit_review_item", item.pk)


SKIPPED = "reviews_skipped"
SKIPPED_KEPT = 50


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@for_auditors
def review_item(request: HttpRequest, item_id: UUID) -> HttpResponse:
    """Show a turn with its reviewer's own decision, if any, and store a decision. Other decisions are not shown."""
    if not may_review(request):
        raise PermissionDenied
    item = get_object_or_404(ReviewItem.objects.select_related("audit"), pk=item_id)
    if request.method == "POST":
        return _decide(request, item)
    own = item.reviews.filter(reviewer_id=request.user.pk).first()
    context: dict[str, Any] = {
        "item": item,
        "story": turn_story(item.audit, request.user, may_read_turn=True),
        "own": own,
        "decisions": [("agree", _("Agree"), "a"), ("disagree", _("Disagree"), "d"), ("unsure", _("Unsure"), "u")],
        "waiting": open_items(request.user.pk or 0).count(),
    }
    return render(request, "audit/review/item.html", context)


def _decide(request: HttpRequest, item: ReviewItem) -> HttpResponse:
    if "skip" in request.POST:
        request.session[SKIPPED] = [*request.session.get(SKIPPED, []), str(item.pk)][-SKIPPED_KEPT:]
        return redirect("audit_review")
    places = [int(place) for place in request.POST.getlist("sentence") if place.isdecimal()]
    try:
        review = review_give(
            item_id=item.pk,
            reviewer_id=request.user.pk or 0,
            decision=request.POST.get("decision", ""),
            sentences=places,
            note=request.POST.get("note", ""),
        )
    except BadReview as error:
        messages.error(request, str(error))
        return redirect("audit_review_item", item.pk)
    messages.success(
        request,
        _("{decision}: stored.").format(decision=local_text(review.get_decision_display())),
        extra_tags=str(item.pk),
    )
    return redirect("audit_review")


@require_POST
@for_auditors
def review_add(request: HttpRequest, audit_id: UUID) -> HttpResponse:
    """Put a turn into the queue by hand, and lead to it."""
    if not may_review(request):
        raise PermissionDenied
    audit = get_object_or_404(TurnAudit, pk=audit_id)
    items_add([audit.pk], ReviewItem.Source.HAND)
    item = ReviewItem.objects.filter(audit=audit).first()
    if item is None:
        messages.error(request, _("A turn without an answer or a refusal cannot be reviewed."))
        return HttpResponseRedirect(reverse("audit_turn", args=[audit.pk]))
    return redirect("audit_review_item", item.pk)


@require_safe
@never_cache
@for_auditors
def results_page(request: HttpRequest) -> HttpResponse:
    """What the decisions came to. The cases quote readers, so they need the right to read turns."""
    if not request.user.has_perm(READ_TURN):
        raise PermissionDenied
    return render(
        request, "audit/review/results.html", {"results": review_results(), "may_review": may_review(request)}
    )
