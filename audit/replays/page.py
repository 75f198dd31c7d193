"""Asks a turn again, and shows both runs side by side."""

from decimal import Decimal
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from audit.domain.comparison import compare_evidence, compare_sentences, sentences_of
from audit.domain.gaps import reason_in_words
from audit.domain.inspection.words import DECISIONS, OUTCOMES, VERDICTS, in_words
from audit.inspection.passages import TurnPassages
from audit.inspection.turn_story import READ_TURN, stored_response
from audit.models import Replay, TurnAudit
from audit.replays.choices import changes_in_words, may_replay
from audit.replays.services import BadReplay, ReplayRequest, replay_queue
from audit.views import for_auditors
from corpus.models import Collection

REFRESH_S = 3


@require_POST
@for_auditors
def replay_ask(request: HttpRequest, audit_id: UUID) -> HttpResponse:
    """Queue a replay and lead to its page; what cannot be asked is said on the turn's page."""
    audit = get_object_or_404(TurnAudit, pk=audit_id)
    if not may_replay(request):
        raise PermissionDenied
    asked = ReplayRequest(*(request.POST.get(name, "") for name in ("mode", "row", "verifier")))
    visible = Collection.objects.visible_to(request.user).order_by("pk").values_list("pk", flat=True)
    try:
        replay = replay_queue(audit=audit, asked=asked, user_id=request.user.pk or 0, collections=list(visible))
    except BadReplay as error:
        messages.error(request, str(error))
        return HttpResponseRedirect(f"{reverse('audit_turn', args=[audit.pk])}#replay")
    return HttpResponseRedirect(reverse("audit_replay", args=[replay.pk]))


@require_safe
@never_cache
@for_auditors
def replay_page(request: HttpRequest, replay_id: UUID) -> HttpResponse:
    replay = get_object_or_404(Replay.objects.select_related("audit", "asked_by"), pk=replay_id)
    if not request.user.has_perm(READ_TURN):
        raise PermissionDenied  # the page compares what readers were shown
    context = {"replay": replay, "audit": replay.audit, "changed": changes_in_words(replay)}
    if replay.state == Replay.State.DONE:
        context |= _compared(replay, request)
    response = render(request, "audit/replay/page.html", context)
    if replay.state == Replay.State.RUNNING:
        response["Refresh"] = str(REFRESH_S)
    return response


def _compared(replay: Replay, request: HttpRequest) -> dict[str, Any]:
    audit = replay.audit
    then = stored_response(audit, may_read_turn=True)
    evidence = compare_evidence(audit.trace, replay.trace)
    found = TurnPassages([row.chunk for row in evidence], request.user)
    return {
        "figures": list(zip(_figures(then, audit.trace), _figures(replay.response, replay.trace), strict=True)),
        "evidence": [(row, found.name(row.chunk, row.address)) for row in evidence],
        "sentences": [
            (pair, *(in_words(VERDICTS, side.verdict) if side else "" for side in (pair.before, pair.after)))
            for pair in compare_sentences(sentences_of(then), sentences_of(replay.response))
        ],
    }


def _figures(response: Any, trace: Any) -> list[tuple[str, str]]:
    """(name, value) of one run; both runs have the same names."""
    gate = trace.get("gate") or {}
    cost = sum((Decimal(str(call.get("cost") or 0)) for call in trace.get("served") or ()), Decimal(0))
    took = (response.get("timings_ms") or {}).get("total")
    reason = response.get("reason")
    return [
        (_("Outcome"), in_words(OUTCOMES, response.get("outcome"))),
        (_("Why"), reason_in_words(reason) if reason else "–"),
        (_("Gate"), in_words(DECISIONS, gate.get("decision")) or "–"),
        (_("Chance that the evidence answers"), f"{gate['coverage']:.2f}" if "coverage" in gate else "–"),
        (_("Confidence"), f"{response.get('confidence', 0.0):.2f}"),
        (_("Sentences left out"), str(len(response.get("withheld") or ()))),
        (_("Milliseconds"), f"{took:,}" if took is not None else "–"),
        (_("Cost"), f"{cost.normalize():f}"),
    ]
