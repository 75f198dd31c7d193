"""The single questions of knowledge gaps, as records; editors work on the gaps themselves (curation/gaps)."""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from audit.domain.gaps import reason_in_words
from audit.inspection.passages import open_addresses
from audit.models import KnowledgeGap
from lectorium.record_admin import RecordAdmin
from lectorium.texts.local_text import local_text

QUESTION_SHOWN = 80  # characters in the list


@admin.register(KnowledgeGap)
class KnowledgeGapAdmin(RecordAdmin):
    list_display = ("short_question", "kind", "reason", "times", "state", "first_seen", "last_seen")
    list_filter = ("state", "kind", "reason")
    search_fields = ("question", "sentence")
    date_hierarchy = "last_seen"
    fields = (
        "question", "state", "kind", "why", "times", "sentence", "nearest_list", "first_seen", "last_seen", "gap_link",
        "last_turn",
    )  # fmt: skip

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.fields if request.user.has_perm("chat.view_turn") else self.fields[:-1]

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        found: Any = super().get_object(request, object_id, from_field)
        if found:
            found.open_nearest = open_addresses(found.nearest, request.user)
        return found

    @admin.display(description=_("Question"), ordering="question")
    def short_question(self, gap: KnowledgeGap) -> str:
        return gap.question[:QUESTION_SHOWN] or "–"

    @admin.display(description=_("Why"))
    def why(self, gap: KnowledgeGap) -> str:
        return local_text(reason_in_words(gap.reason))

    @admin.display(description=_("Nearest"))
    def nearest_list(self, gap: Any) -> str:
        return ", ".join(gap.open_nearest) or "–"

    @admin.display(description=_("Knowledge gap"))
    def gap_link(self, gap: Any) -> SafeString | str:
        if not gap.cluster_id:
            return gettext("Not in one yet")
        url = reverse("admin:audit_gapcluster_change", args=[gap.cluster_id])
        return format_html('<a href="{}">{}</a>', url, _("Open the gap"))

    @admin.display(description=_("Last turn"))
    def last_turn(self, gap: KnowledgeGap) -> SafeString | str:
        return turn_link(gap.last_turn_id) if gap.last_turn_id else gettext("Deleted")


def turn_link(turn_id: UUID) -> SafeString:
    return format_html('<a href="{}">{}</a>', reverse("admin:chat_turn_change", args=[turn_id]), turn_id)
