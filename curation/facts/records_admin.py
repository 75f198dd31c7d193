"""What was checked, compared and done about facts, for editors; acts of the scan can be taken back."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.facts.changes import ChangeRefused, change_undo
from curation.facts.services import review_close
from curation.models import FactChange, FactCheck, FactScan, SubjectReview
from lectorium.record_admin import RecordAdmin
from lectorium.texts.local_text import local_text


class ActingRecordAdmin(RecordAdmin):
    """Records that nobody edits, with actions for those who may change them."""

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return [field.name for field in self.model._meta.fields]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return admin.ModelAdmin.has_change_permission(self, request, obj)


@admin.register(FactChange)
class FactChangeAdmin(ActingRecordAdmin):
    list_display = ("fact", "by", "verdict", "why", "judge", "at", "undone_at")
    list_filter = ("verdict", ("undone_at", admin.EmptyFieldListFilter))
    list_select_related = ("fact", "by")
    search_fields = ("fact__content", "by__content", "fact__subject")
    actions: Any = ("undo",)

    @admin.display(description=_("because"), ordering="because")
    def why(self, change: FactChange) -> str:
        return local_text(change.because)

    @admin.action(description=_("Take back: both facts are in force again"), permissions=["change"])
    def undo(self, request: HttpRequest, chosen: QuerySet[FactChange]) -> None:
        undone = 0
        for change in chosen:
            try:
                undone += change_undo(change=change, by=request.user)
            except ChangeRefused as error:
                self.message_user(request, str(error), messages.ERROR)
        self.message_user(
            request,
            gettext("Taken back: {number}.").format(number=undone),
            messages.SUCCESS if undone else messages.WARNING,
        )


@admin.register(FactCheck)
class FactCheckAdmin(RecordAdmin):
    list_display = ("content", "verdict", "because", "address", "confidence", "at")
    list_filter = ("verdict", "at")
    search_fields = ("content", "evidence", "address")


@admin.register(FactScan)
class FactScanAdmin(RecordAdmin):
    list_display = ("started_at", "finished_at", "compared", "total", "in_force", "found")

    @admin.display(description=_("Pairs"))
    def found(self, scan: FactScan) -> str:
        return ", ".join(f"{local_text(verdict)}: {number:,}" for verdict, number in sorted(scan.counts.items())) or "–"


@admin.register(SubjectReview)
class SubjectReviewAdmin(ActingRecordAdmin):
    list_display = ("subject", "facts", "opened_at", "closed_at", "closed_by")
    list_filter = (("closed_at", admin.EmptyFieldListFilter),)
    search_fields = ("subject",)
    actions: Any = ("close",)

    @admin.display(description=_("Facts"))
    def facts(self, review: SubjectReview) -> str:
        url = reverse("admin:curation_fact_changelist", query={"q": review.subject})
        return format_html('<a href="{}">{}</a>', url, _("Show them"))

    @admin.action(description=_("Close: its facts are in order"), permissions=["change"])
    def close(self, request: HttpRequest, chosen: QuerySet[SubjectReview]) -> None:
        closed = sum(review_close(review=review, by=request.user) for review in chosen)
        self.message_user(
            request,
            gettext("Closed: {number}.").format(number=closed),
            messages.SUCCESS if closed else messages.WARNING,
        )
