"""The page of one turn: what was found, cut, decided, written, checked and shown, in the order it happened."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from audit.domain.inspection.found import SCORE_COLUMNS
from audit.inspection.turn_story import READ_TURN, turn_story
from audit.models import TurnAudit
from audit.replays.choices import changes_in_words, may_replay, replay_choices
from audit.turn_reviews.page import may_review
from audit.views import for_auditors


@require_safe
@never_cache
@for_auditors
def turn_page(request: HttpRequest, audit_id: UUID) -> HttpResponse:
    audit = get_object_or_404(TurnAudit, pk=audit_id)
    story = turn_story(audit, request.user, may_read_turn=request.user.has_perm(READ_TURN))
    context = {"story": story, "audit": audit, "score_columns": SCORE_COLUMNS}
    if request.user.has_perm(READ_TURN):
        context["replays"] = [(replay, changes_in_words(replay)) for replay in audit.replays.select_related("asked_by")]
    if may_replay(request):
        context["replay_choices"] = replay_choices()
    context["may_review"] = may_review(request)
    return render(request, "audit/turn/page.html", context)
