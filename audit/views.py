"""Pages of the audit, for staff who may read audits."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from audit.reporting import MODES, PERIODS, ReportRequest, report_of

PERMISSION = "audit.view_turnaudit"  # the report says nothing that the audits do not


def for_auditors(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let staff in who may read audits; ask who is not signed in to sign in; 403 for others."""

    @wraps(view)
    def guarded(request: HttpRequest, **kwargs: str) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path(), reverse("admin:login"))
        if not (request.user.is_staff and request.user.has_perm(PERMISSION)):
            raise PermissionDenied
        return view(request, **kwargs)

    return guarded


@require_safe
@never_cache
@for_auditors
def report(request: HttpRequest) -> HttpResponse:
    """Show the report; of the usual period, with a sentence and status 400, where another cannot be had."""
    asked, fault = _asked(request.GET)
    shown = {"report": report_of(asked), "fault": fault, "periods": PERIODS, "modes": MODES}
    return render(request, "audit/report.html", shown, status=400 if fault else 200)


@require_safe
@never_cache
@for_auditors
def report_table(request: HttpRequest, name: str) -> HttpResponse:
    """Serve one table of the report as CSV."""
    asked, fault = _asked(request.GET)
    if fault:
        return HttpResponse(fault, status=400, content_type="text/plain; charset=utf-8")
    table = report_of(asked).table(name)
    if table is None:
        raise Http404("The report has no such table.")
    filename = f"lectorium-{table.name}-{asked.days}-days{asked.mode and '-'}{asked.mode}.csv"
    disposition = content_disposition_header(as_attachment=True, filename=filename) or ""
    answer = HttpResponse(table.as_csv, content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = disposition
    return answer


def _asked(query: QueryDict) -> tuple[ReportRequest, str]:
    """Return what is asked for and "", or the usual and what is wrong."""
    days, mode = query.get("days", str(ReportRequest().days)), query.get("mode", "")
    if days not in map(str, PERIODS):
        return ReportRequest(), f"The period is one of {', '.join(map(str, PERIODS))} days."
    if mode not in ("", *MODES):
        return ReportRequest(), f"The mode is one of {', '.join(MODES)}, or empty for all of them."
    return ReportRequest(int(days), mode), ""
