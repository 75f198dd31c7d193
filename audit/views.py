from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from audit.reporting import MODES, PERIODS, ReportRequest, report_of

PERMISSION = "audit.view_turnaudit"  # the report contains nothing beyond the audits


def for_auditors(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Allow staff with permission to read audits; redirect visitors to sign in; 403 for everyone else."""

    @wraps(view)
    def guarded(request: HttpRequest, **kwargs: Any) -> HttpResponse:
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
    """Show the report; for invalid parameters, the default period with an explanation and status 400."""
    asked, fault = _report_request(request.GET)
    context = {"report": report_of(asked), "fault": fault, "periods": PERIODS, "modes": MODES}
    return render(request, "audit/report.html", context, status=400 if fault else 200)


@require_safe
@never_cache
@for_auditors
def report_table(request: HttpRequest, name: str) -> HttpResponse:
    """Serve one table of the report as CSV. It is in English for everybody: programs read it."""
    with translation.override(settings.LANGUAGE_CODE):
        return _csv(request, name)


def _csv(request: HttpRequest, name: str) -> HttpResponse:
    asked, fault = _report_request(request.GET)
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


def _report_request(query: QueryDict) -> tuple[ReportRequest, str]:
    """The requested report and "", or the default report and an error message."""
    days, mode = query.get("days", str(ReportRequest().days)), query.get("mode", "")
    if days not in map(str, PERIODS):
        return ReportRequest(), _("The period must be one of {days} days.").format(days=", ".join(map(str, PERIODS)))
    if mode not in ("", *MODES):
        return ReportRequest(), _("The mode must be one of {modes}, or empty for all modes.").format(
            modes=", ".join(MODES)
        )
    return ReportRequest(int(days), mode), ""
