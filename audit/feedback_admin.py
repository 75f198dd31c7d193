"""The review queue: staff see feedback beside the answer or citation as it was shown, and agree or disagree."""

import asyncio
from collections.abc import Iterator
from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from audit.domain.inspection.words import OUTCOMES, in_words
from audit.domain.redaction import REDACTED
from audit.feedback import feedback_review
from audit.gap_admin import QUESTION_SHOWN, turn_link
from audit.models import Feedback, TurnAudit
from corpus.models import Collection
from lectorium import asking
from lectorium.record_admin import RecordAdmin
from lectorium.texts.local_text import local_text

PLACES = ("/lectures/", "/works/")
FIELD_PERMISSIONS = {"turn_link": "chat.view_turn", "trace_link": "audit.view_turnaudit"}
CHANGED = _("The reader has since changed or withdrawn this feedback, so your review was not saved. Please look again.")


class VerdictFilter(admin.AllValuesFieldListFilter):
    """Hides the empty choice: feedback on a whole answer has no verdict."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        return (choice for choice in super().choices(changelist) if choice["display"])


@admin.register(Feedback)
class FeedbackAdmin(RecordAdmin):
    list_display = ("short_question", "kind", "short_claim", "verdict", "outcome", "review", "given_at")
    list_filter = ("review", "kind", ("verdict", VerdictFilter), "outcome")
    search_fields = ("question", "claim", "note", "asker")
    date_hierarchy = "given_at"
    fields = (
        "kind", "note", "question", "claim", "verdict", "clip_shown", "answer_then", "outcome", "turn_link",
        "trace_link", "asker", "given_at", "review", "reviewer", "reviewed_at", "review_note",
    )  # fmt: skip
    readonly_fields = fields[:-1]
    change_form_template = "admin/audit/feedback/change_form.html"

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return admin.ModelAdmin.has_change_permission(self, request, obj)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        hidden = {name for name, permission in FIELD_PERMISSIONS.items() if not request.user.has_perm(permission)}
        return [name for name in self.fields if name not in hidden]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        feedback: Feedback | None = self.get_object(request, object_id)
        tools: dict[str, Any] = {}
        if feedback and self.has_change_permission(request, feedback):
            tools = {
                "reviews": Feedback.Review.choices[1:],
                "given_at": feedback.given_at.isoformat(),
                "may_ask": feedback.question not in ("", REDACTED),
            }
        response: HttpResponse = super().change_view(request, object_id, form_url, {**(extra_context or {}), **tools})
        return response

    def save_model(self, request: HttpRequest, obj: Feedback, form: Any, change: bool) -> None:
        """Do nothing: response_change writes the review, so that it can report a conflict."""

    def response_change(self, request: HttpRequest, obj: Feedback) -> HttpResponse:
        if "_ask_again" in request.POST:
            may_read = Collection.objects.keys_visible_to(request.user)
            now = asyncio.run(asking.ask(obj.question, collections=may_read))
            outcome = local_text(in_words(OUTCOMES, now["outcome"]))
            self.message_user(request, format_html("{} ({}): {}", _("Answer now"), outcome, _answer(now["answer"])))
        elif _review(request, obj):
            self.message_user(request, _("Reviewed."), messages.SUCCESS)
        else:
            self.message_user(request, CHANGED, messages.WARNING)
        return HttpResponseRedirect(reverse("admin:audit_feedback_change", args=[obj.pk]))

    @admin.display(description=_("Question"), ordering="question")
    def short_question(self, feedback: Feedback) -> str:
        return feedback.question[:QUESTION_SHOWN] or "–"

    @admin.display(description=_("Claim"), ordering="claim")
    def short_claim(self, feedback: Feedback) -> str:
        return feedback.claim[:QUESTION_SHOWN] or gettext("The whole answer")

    @admin.display(description=_("Clip"))
    def clip_shown(self, feedback: Feedback) -> SafeString | str:
        if not feedback.clip:
            return "–"
        opens = str(feedback.clip["url"]).startswith(PLACES)
        return render_to_string("admin/audit/feedback/clip.html", {**feedback.clip, "opens": opens})

    @admin.display(description=_("Answer given"))
    def answer_then(self, feedback: Feedback) -> SafeString:
        return _answer(feedback.answer)

    @admin.display(description=_("Turn"))
    def turn_link(self, feedback: Any) -> SafeString:
        return turn_link(feedback.turn_id)

    @admin.display(description=_("Trace"))
    def trace_link(self, feedback: Any) -> SafeString | str:
        audits = TurnAudit.objects.filter(conversation_id=feedback.conversation_id, turn_id=feedback.turn_id)
        audit = audits.only("pk").first()
        if audit is None:
            return "–"
        url = reverse("audit_turn", args=[audit.pk])
        return format_html('<a href="{}">{}</a>', url, _("What was found, cut and decided"))


def _answer(text: str) -> SafeString:
    return format_html('<div class="record-text" dir="auto">{}</div>', text)


def _review(request: HttpRequest, feedback: Feedback) -> bool:
    given_at = parse_datetime(request.POST.get("given_at", ""))
    review = next((value for value in Feedback.Review.values[1:] if f"_{value}" in request.POST), "")
    if given_at is None or not review:
        return False
    return feedback_review(
        conversation_id=feedback.conversation_id,
        feedback_id=feedback.pk,
        given_at=given_at,
        review=review,
        note=feedback.review_note,
        reviewer_id=request.user.pk,
    )
