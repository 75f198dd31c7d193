"""Knowledge gaps for editors: pin an answer, ask again, close what is answered."""

import asyncio
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from audit.domain.outcomes import ANSWERED
from audit.domain.redaction import REDACTED
from audit.gaps import gap_mark
from audit.models import KnowledgeGap
from lectorium import asking
from lectorium.record_admin import RecordAdmin

QUESTION_SHOWN = 80  # characters in the list
ANSWER_SHOWN = 300  # characters in the message after asking again


@admin.register(KnowledgeGap)
class KnowledgeGapAdmin(RecordAdmin):
    list_display = ("short_question", "kind", "reason", "times", "state", "first_seen", "last_seen")
    list_filter = ("state", "kind", "reason")
    search_fields = ("question", "sentence")
    date_hierarchy = "last_seen"
    fields = (
        "state", "question", "kind", "reason", "times", "sentence", "nearest_list", "first_seen", "last_seen",
        "last_turn",
    )  # fmt: skip
    readonly_fields = fields[1:]
    change_form_template = "admin/audit/knowledgegap/change_form.html"

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return admin.ModelAdmin.has_change_permission(self, request, obj)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.fields if request.user.has_perm("chat.view_turn") else self.fields[:-1]

    def save_model(self, request: HttpRequest, obj: KnowledgeGap, form: Any, change: bool) -> None:
        gap_mark(gap_id=obj.pk, state=obj.state)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        gap: KnowledgeGap | None = self.get_object(request, object_id)
        tools: dict[str, Any] = {}
        if gap and gap.question not in ("", REDACTED):
            may_pin = gap.state == gap.State.OPEN and request.user.has_perm("curation.add_pinnedquestion")
            tools = {
                "pin_url": _pin_url(gap) if may_pin else "",
                "can_ask": self.has_change_permission(request, gap),
            }
        response: HttpResponse = super().change_view(request, object_id, form_url, {**(extra_context or {}), **tools})
        return response

    def response_change(self, request: HttpRequest, obj: KnowledgeGap) -> HttpResponse:
        if "_ask_again" not in request.POST:
            response: HttpResponse = super().response_change(request, obj)
            return response
        now = asyncio.run(asking.ask(obj.question))
        answer = str(now["answer"])
        answer = answer if len(answer) <= ANSWER_SHOWN else f"{answer[:ANSWER_SHOWN]}…"
        if now["outcome"] in ANSWERED:
            gap_mark(gap_id=obj.pk, state=KnowledgeGap.State.CLOSED)
            before = obj.reason.replace("_", " ")
            self.message_user(
                request, f"Answered now, so the gap is closed (before: {before}): {answer}", messages.SUCCESS
            )
        else:
            self.message_user(request, f"Still not answered: {answer}", messages.WARNING)
        return HttpResponseRedirect(reverse("admin:audit_knowledgegap_change", args=[obj.pk]))

    @admin.display(description="Question", ordering="question")
    def short_question(self, gap: KnowledgeGap) -> str:
        return gap.question[:QUESTION_SHOWN] or "–"

    @admin.display(description="Nearest")
    def nearest_list(self, gap: KnowledgeGap) -> str:
        return ", ".join(gap.nearest) or "–"

    @admin.display(description="Last turn")
    def last_turn(self, gap: KnowledgeGap) -> SafeString | str:
        return turn_link(gap.last_turn_id) if gap.last_turn_id else "Deleted"


def turn_link(turn_id: UUID) -> SafeString:
    return format_html('<a href="{}">{}</a>', reverse("admin:chat_turn_change", args=[turn_id]), turn_id)


def _pin_url(gap: KnowledgeGap) -> str:
    """The page for a new pin, prefilled with the gap's question and its nearest passages."""
    filled = {"question": gap.question, "references": ", ".join(gap.nearest)}
    return f"{reverse('admin:curation_pinnedquestion_add')}?{urlencode(filled)}"
