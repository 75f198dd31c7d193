"""Other wordings for the pin in the form, as a part of the page; the editor adds those that fit."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from curation.services import LIMITS
from curation.suggestions import suggested_wordings

SEES_GAPS = "audit.view_gapcluster"


@require_POST
def suggest_wordings(request: HttpRequest) -> HttpResponse:
    """Reads the question, wordings and language that stand in the form, saved or not."""
    user = request.user
    if not (user.has_perm("curation.add_pinnedquestion") or user.has_perm("curation.change_pinnedquestion")):
        raise PermissionDenied
    chars = LIMITS.phrasing_chars
    question = request.POST.get("question", "").strip()[:chars]
    wordings = [text.strip()[:chars] for text in request.POST.getlist("phrasings")[: LIMITS.phrasings] if text.strip()]
    language = request.POST.get("language", "").strip()[:12] or "en"
    found = suggested_wordings(question, wordings, language, with_log=user.has_perm(SEES_GAPS))
    return render(request, "admin/curation/entry/wordings.html", {"suggestions": found, "language": language})
