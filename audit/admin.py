from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from audit.feedback_admin import FeedbackAdmin as FeedbackAdmin
from audit.gap_admin import QUESTION_SHOWN, turn_link
from audit.gap_admin import KnowledgeGapAdmin as KnowledgeGapAdmin
from audit.models import DeletedTurns, TurnAudit, TurnCount
from audit.reporting import MODES
from audit.tables import decimal
from audit.traced_entries import entries_in_words
from lectorium.record_admin import RecordAdmin, pretty_json
from lectorium.texts.local_text import local_text


class CountedFilter(admin.SimpleListFilter):
    """Offers the values that the stored counts know, because the table of turns is too large to look through."""

    kind = ""

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        names = TurnCount.objects.filter(dimension="", kind=self.kind).exclude(name="").order_by("name")
        known = [*names.values_list("name", flat=True).distinct()]
        asked = [value for value in (self.value(),) if value and value not in known]
        return [(name, local_text(name.replace("_", " "))) for name in (*known, *asked)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[TurnAudit]) -> QuerySet[TurnAudit]:
        return queryset.filter(**{str(self.parameter_name): self.value()}) if self.value() else queryset


class OutcomeFilter(CountedFilter):
    title, parameter_name, kind = _("outcome"), "outcome", "outcome"


class ReasonFilter(CountedFilter):
    title, parameter_name, kind = _("reason of a refusal"), "reason", "refusal"


class ModeFilter(CountedFilter):
    title, parameter_name = _("mode"), "mode"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(mode, local_text(mode)) for mode in MODES]


@admin.register(TurnAudit)
class TurnAuditAdmin(RecordAdmin):
    list_display = ("short_question", "outcome", "reason", "mode", "short_confidence", "total_ms", "created_at")
    list_filter = (OutcomeFilter, ReasonFilter, ModeFilter)
    show_full_result_count = False  # which would count the table once more
    search_fields = ("question", "asker")
    date_hierarchy = "created_at"
    fields = (
        "laid_out", "turn_link", "question", "asker", "outcome", "reason", "gap", "mode", "confidence", "created_at",
        "validation_counts", "warning_list", "stage_times", "entries", "served_by", "written", "whole_trace",
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[TurnAudit]:
        audits: QuerySet[TurnAudit] = super().get_queryset(request)
        is_detail_page = request.resolver_match and "object_id" in request.resolver_match.kwargs
        return audits if is_detail_page else audits.defer("trace")

    @admin.display(description=_("Question"), ordering="question")
    def short_question(self, audit: TurnAudit) -> str:
        return audit.question[:QUESTION_SHOWN] or "–"

    @admin.display(description=_("Confidence"), ordering="confidence")
    def short_confidence(self, audit: TurnAudit) -> str:
        return decimal(audit.confidence, 2)

    @admin.display(description=_("ms"))
    def total_ms(self, audit: TurnAudit) -> str:
        return decimal(audit.timings_ms.get("total", 0), 0)

    @admin.display(description=_("Laid out"))
    def laid_out(self, audit: Any) -> SafeString:
        return format_html('<a href="{}">{}</a>', reverse("audit_turn", args=[audit.pk]), _("Along the pipeline"))

    @admin.display(description=_("Turn"))
    def turn_link(self, audit: Any) -> SafeString:
        return turn_link(audit.turn_id)

    @admin.display(description=_("Validation"))
    def validation_counts(self, audit: TurnAudit) -> SafeString:
        return pretty_json(audit.validation)

    @admin.display(description=_("Warnings"))
    def warning_list(self, audit: TurnAudit) -> SafeString | str:
        return pretty_json(audit.warnings) if audit.warnings else gettext("None")

    @admin.display(description=_("Milliseconds by stage"))
    def stage_times(self, audit: TurnAudit) -> SafeString:
        return pretty_json(audit.timings_ms)

    @admin.display(description=_("Pins and notes"))
    def entries(self, audit: TurnAudit) -> SafeString | str:
        return entries_in_words(audit)

    @admin.display(description=_("Served by"))
    def served_by(self, audit: TurnAudit) -> SafeString | str:
        calls = audit.trace.get("served", [])
        return (
            render_to_string("admin/audit/served_by.html", {"calls": calls})
            if calls
            else gettext("No chat model was called")
        )

    @admin.display(description=_("Written"))
    def written(self, audit: TurnAudit) -> SafeString | str:
        attempts = audit.trace.get("writing", [])
        outline = audit.trace.get("outline")
        context = {"outline": outline, "attempts": attempts}
        return (
            render_to_string("admin/audit/written.html", context)
            if outline or attempts
            else gettext("No chat model wrote")
        )

    @admin.display(description=_("Trace"))
    def whole_trace(self, audit: TurnAudit) -> SafeString:
        return pretty_json(audit.trace)


@admin.register(DeletedTurns)
class DeletedTurnsAdmin(RecordAdmin):
    list_display = ("day", "mode", "outcome", "reason", "turns")
    list_filter = ("outcome", "mode")
    date_hierarchy = "day"
