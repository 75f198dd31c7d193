"""Drafted transcripts in admin: beside the recording's player, to edit, import or discard. Permissions are imports'."""

import re
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from corpus.domain.cues import clock
from corpus.importers.refusal import ImportRefused
from corpus.models import Transcription
from corpus.services.transcripts import (
    LINE_CHARS,
    REPEATABLE,
    UNDECIDED,
    transcript_accept,
    transcript_again,
    transcript_discard,
    transcript_edit,
)
from lectorium.record_admin import RecordAdmin
from lectorium.texts.local_text import local_text

LINES_OF_A_PAGE = 200
REFRESH_SECONDS = 10
_LINE = re.compile(r"line-(\d{1,6})")
State = Transcription.State


@admin.register(Transcription)
class TranscriptionAdmin(RecordAdmin):
    list_display = ("lecture", "state", "heard_pieces", "model", "touched_at")
    list_filter = ("state",)
    list_select_related = ("lecture",)
    search_fields = ("lecture__title", "lecture__key")

    @admin.display(description=_("Pieces"))
    def heard_pieces(self, row: Transcription) -> str:
        said = gettext("{done} of {total}")
        return said.format(done=len(row.heard), total=len(row.pieces)) if row.pieces else ""

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm("corpus.view_import"))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm("corpus.add_import"))

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        row = self.get_object(request, object_id)
        if row is None:
            raise Http404("There is no such transcription.")
        if not self.has_view_permission(request, row):
            raise PermissionDenied
        if request.method == "POST":
            if not self.has_change_permission(request, row):
                raise PermissionDenied
            self._decide(request, row)
            return HttpResponseRedirect(request.get_full_path())
        response = TemplateResponse(request, "admin/corpus/transcription/change.html", self._context(request, row))
        if row.state == State.TRANSCRIBING:
            response["Refresh"] = str(REFRESH_SECONDS)
        return response

    def _decide(self, request: HttpRequest, row: Transcription) -> None:
        """Do what the pressed button says; the lines of the page are stored first, whatever is refused then."""
        wanted, saved = request.POST.get("do", "save"), ""
        try:
            if wanted == "discard":
                _report(request, transcript_discard(transcription_id=row.pk, by=request.user), gettext("Discarded."))
            elif wanted == "again":
                _report(request, transcript_again(transcription_id=row.pk), gettext("It is queued again."))
            else:
                changed = transcript_edit(transcription_id=row.pk, texts=_texts(request))
                saved = gettext("The lines are saved.")
                if language := request.POST.get("language", "").strip().lower():
                    transcript_edit(transcription_id=row.pk, texts={}, language=language)
                if wanted == "accept":
                    transcript_accept(transcription_id=row.pk, by=request.user)
                    messages.success(request, gettext("Imported. A worker embeds it now; then it is searched."))
                else:
                    messages.success(request, gettext("Saved. Lines changed: {number}.").format(number=changed))
        except ImportRefused as refusal:
            not_done = gettext("Not done: {why}.").format(why=local_text(refusal))
            messages.error(request, f"{saved} {not_done}".strip())

    def _context(self, request: HttpRequest, row: Transcription) -> dict[str, Any]:
        page = Paginator(row.lines, LINES_OF_A_PAGE).get_page(request.GET.get("page"))
        may_decide = self.has_change_permission(request, row)
        numbered = enumerate(page.object_list, start=page.start_index() - 1)
        return {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": str(row),
            "row": row,
            "media": reverse("lecture_media", args=[row.lecture_id]) if row.lecture.has_recording else "",
            "lecture_page": reverse("admin:corpus_lecture_change", args=[row.lecture_id]),
            "page": page,
            "lines": [(number, start, clock(start), clock(end), text) for number, (start, end, text) in numbered],
            "line_chars": LINE_CHARS,
            "language": row.language or row.lecture.language,
            "may_edit": may_decide and row.state == State.REVIEW,
            "may_discard": may_decide and row.state in UNDECIDED,
            "may_repeat": may_decide and row.state in REPEATABLE,
        }


def _texts(request: HttpRequest) -> dict[int, str]:
    found = ((_LINE.fullmatch(name), text) for name, text in request.POST.items())
    return {int(match[1]): str(text) for match, text in found if match}


def _report(request: HttpRequest, was_done: bool, said: str) -> None:
    if was_done:
        messages.success(request, said)
    else:
        messages.warning(request, gettext("This can no longer be done; the page shows how it stands."))
