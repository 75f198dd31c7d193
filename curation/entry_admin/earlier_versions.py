"""The button of the history page that brings an earlier version back."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext

from curation.earlier_versions import entry_restore
from curation.entries import CurationRefused
from curation.models import Curated


def bring_back(model_admin: Any, request: HttpRequest, entry: Curated, version_id: UUID) -> HttpResponse:
    """Restore the version and show the entry; where it is refused, the history again with the reason."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    page = f"admin:curation_{model_admin.opts.model_name}"
    try:
        restored = entry_restore(entry=entry, version_id=version_id, by=request.user)
    except CurationRefused as refusal:
        model_admin.message_user(request, str(refusal), messages.ERROR)
        return HttpResponseRedirect(reverse(f"{page}_history", args=[entry.pk]))
    is_public = restored.state == Curated.State.PUBLISHED
    published = gettext("The earlier version is back. Readers see it now.")
    drafted = gettext("The earlier version is back. It is a draft: try it, then submit it for review.")
    model_admin.message_user(request, published if is_public else drafted, messages.SUCCESS)
    return HttpResponseRedirect(reverse(f"{page}_change", args=[entry.pk]))
