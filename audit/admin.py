"""The audit of each turn: why it was answered or refused, number by number."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from audit.feedback_admin import FeedbackAdmin as FeedbackAdmin
from audit.gap_admin import QUESTION_SHOWN, turn_link
from audit.gap_admin import KnowledgeGapAdmin as KnowledgeGapAdmin
from audit.models import DeletedTurns, TurnAudit
from lectorium.record_admin import RecordAdmin, pretty_json


@admin.register(TurnAudit)
class TurnAuditAdmin(RecordAdmin):
    list_display = ("asked", "outcome", "reason", "mode", "sure", "total_ms", "created_at")
    list_filter = ("outcome", "reason", "mode")
    search_fields = ("question", "asker")
    date_hierarchy = "created_at"
    fields = (
        "turn_link", "question", "asker", "outcome", "reason", "gap", "mode", "confidence", "created_at",
        "counts", "warned", "times", "served_by", "written", "whole_trace",
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[TurnAudit]:
        audits: QuerySet[TurnAudit] = super().get_queryset(request)
        one = request.resolver_match and "object_id" in request.resolver_match.kwargs
        return audits if one else audits.defer("trace")

    @admin.display(description="Question", ordering="question")
    def asked(self, audit: TurnAudit) -> str:
        return audit.question[:QUESTION_SHOWN] or "–"

    @admin.display(description="Confidence", ordering="confidence")
    def sure(self, audit: TurnAudit) -> str:
        return f"{audit.confidence:.2f}"

    @admin.display(description="ms")
    def total_ms(self, audit: TurnAudit) -> str:
        return f"{audit.timings_ms.get('total', 0):,.0f}"

    @admin.display(description="Turn")
    def turn_link(self, audit: Any) -> SafeString:
        return turn_link(audit.turn_id)

    @admin.display(description="Validation")
    def counts(self, audit: TurnAudit) -> SafeString:
        return pretty_json(audit.validation)

    @admin.display(description="Warnings")
    def warned(self, audit: TurnAudit) -> SafeString | str:
        return pretty_json(audit.warnings) if audit.warnings else "None"

    @admin.display(description="Milliseconds by stage")
    def times(self, audit: TurnAudit) -> SafeString:
        return pretty_json(audit.timings_ms)

    @admin.display(description="Served by")
    def served_by(self, audit: TurnAudit) -> SafeString | str:
        calls = audit.trace.get("served", [])
        return render_to_string("admin/audit/served_by.html", {"calls": calls}) if calls else "No chat model was asked"

    @admin.display(description="Written")
    def written(self, audit: TurnAudit) -> SafeString | str:
        attempts = audit.trace.get("writing", [])
        outline = audit.trace.get("outline")
        shown = {"outline": outline, "attempts": attempts}
        return render_to_string("admin/audit/written.html", shown) if outline or attempts else "No chat model wrote"

    @admin.display(description="Trace")
    def whole_trace(self, audit: TurnAudit) -> SafeString:
        return pretty_json(audit.trace)


@admin.register(DeletedTurns)
class DeletedTurnsAdmin(RecordAdmin):
    list_display = ("day", "mode", "outcome", "reason", "turns")
    list_filter = ("outcome", "mode")
    date_hierarchy = "day"
