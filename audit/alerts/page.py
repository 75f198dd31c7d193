"""The alerts that were raised: open ones to acknowledge or mute, what is muted, and how each notice fared."""

from datetime import UTC, datetime
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as _noop
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from audit.alerts.services import LONGEST_MUTE_DAYS, BadMute, alert_acknowledge, mute_end, rule_mute
from audit.guards import JUMPS, KINDS
from audit.models import AlertDelivery, AlertMute, GuardAlert
from audit.views import for_auditors
from lectorium.texts.local_text import local_text

HANDLE = "audit.add_alertmute"  # to acknowledge, to mute and to end a mute
SHOWN = 100
TITLES = {kind.name: kind.title for kind in KINDS} | {"guard3_faithfulness_mean": _noop("Faithfulness of answers")}
TITLES |= {metric: title for metric, (title, __) in JUMPS.items()}
RULE_WORDS = {
    "above": _noop("a week above its limit"),
    "rising": _noop("rises one after another"),
    "over_mean": _noop("a run far above the mean"),
    "jump": _noop("a day far above the days before"),
    "low": _noop("low in consecutive weeks"),
}


@require_safe
@never_cache
@for_auditors
def alerts_page(request: HttpRequest) -> HttpResponse:
    raised = GuardAlert.objects.select_related("acknowledged_by")
    mutes = AlertMute.objects.filter(until__gte=datetime.now(UTC).date()).select_related("by")
    waiting = raised.filter(acknowledged_at=None, muted=False)
    context = {
        "open": waiting[:SHOWN],
        "history": raised.exclude(pk__in=waiting.values("pk"))[:SHOWN],
        "mutes": [(mute, muted_in_words(mute)) for mute in mutes],
        "deliveries": AlertDelivery.objects.all()[:SHOWN],
        "may_handle": request.user.has_perm(HANDLE),
        "longest": LONGEST_MUTE_DAYS,
    }
    return render(request, "audit/alerts/page.html", context)


def muted_in_words(mute: AlertMute) -> str:
    """E.g. "Facts blocked: a week above its limit"."""
    title, rule = TITLES.get(mute.metric, mute.metric), RULE_WORDS.get(mute.rule, mute.rule)
    return f"{local_text(title)}: {local_text(rule)}"


@require_POST
@for_auditors
def alert_handle(request: HttpRequest, alert_id: UUID) -> HttpResponse:
    """Acknowledge an alert, and mute its rule where a number of days is given."""
    if not request.user.has_perm(HANDLE):
        raise PermissionDenied
    user, note, days = request.user.pk or 0, request.POST.get("note", ""), request.POST.get("days", "")
    alert = GuardAlert.objects.filter(pk=alert_id).first()
    if alert and days:
        try:
            number = int(days) if days.isdecimal() else 0
            rule_mute(rule=alert.rule, metric=alert.metric, reason=note, days=number, user_id=user)
        except BadMute as error:
            messages.error(request, str(error))
            return redirect("audit_alerts")
    if not alert_acknowledge(alert_id=alert_id, user_id=user, note=note):
        messages.error(request, _("Somebody has acknowledged this alert already."))
    return redirect("audit_alerts")


@require_POST
@for_auditors
def unmute(request: HttpRequest, mute_id: UUID) -> HttpResponse:
    if not request.user.has_perm(HANDLE):
        raise PermissionDenied
    mute_end(mute_id=mute_id)
    return redirect("audit_alerts")
