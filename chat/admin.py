"""Admin of conversations and turns: read-only records."""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Count, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from audit.models import TurnAudit
from audit.traced_entries import entries_in_words
from chat.conversations.retention import conversation_forget, conversations_forget
from chat.models import Citation, Conversation, SharedLink, Turn
from chat.prompt_preview import SLOTS, preview
from lectorium.ladder.selectors import prompt
from lectorium.providers.protocols import ChatMessage
from lectorium.record_admin import RecordAdmin, RecordInline, pretty_json


class TurnInline(RecordInline):
    model = Turn
    fields = ("question", "outcome", "reason", "mode", "started_at")
    readonly_fields = fields
    show_change_link = True


class CitationInline(RecordInline):
    model = Citation
    fields = ("n", "kind", "address", "title", "quote", "start", "end", "verdict")
    readonly_fields = fields


@admin.register(Conversation)
class ConversationAdmin(RecordAdmin):
    list_display = ("__str__", "owner", "turns_asked", "updated_at")
    list_select_related = ("owner",)
    search_fields = ("title", "owner__username")
    date_hierarchy = "updated_at"
    fields = ("title", "owner", "created_at", "updated_at")
    inlines = (TurnInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Conversation]:
        conversations: QuerySet[Conversation] = super().get_queryset(request)
        return conversations.annotate(asked=Count("turns"))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Superusers only, since turns, citations and audits are deleted too."""
        return bool(getattr(request.user, "is_superuser", False))

    def delete_model(self, request: HttpRequest, obj: Conversation) -> None:
        conversation_forget(conversation_id=obj.pk)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Conversation]) -> None:
        conversations_forget(conversation_ids=list(queryset.values_list("pk", flat=True)))

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Skips permissions for dependent records, which nobody may delete by themselves."""
        deleted, counts, __, protected = super().get_deleted_objects(objs, request)
        return deleted, counts, set(), protected

    @admin.display(description=_("Turns"), ordering="asked")
    def turns_asked(self, conversation: Any) -> int:
        return int(conversation.asked)


@admin.register(SharedLink)
class SharedLinkAdmin(RecordAdmin):
    list_display = ("__str__", "conversation", "made_at")
    fields = ("conversation", "made_at")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Superusers only. Deleting a link revokes it."""
        return bool(getattr(request.user, "is_superuser", False))


@admin.register(Turn)
class TurnAdmin(RecordAdmin):
    list_display = ("__str__", "outcome", "reason", "mode", "started_at", "seconds")
    list_filter = ("outcome", "reason", "mode", "locale")
    search_fields = ("question", "answer")
    date_hierarchy = "started_at"
    fields = (
        "conversation", "question", "standalone_question", "mode", "locale", "outcome", "reason", "answer_text",
        "started_at", "finished_at", "entries", "audit_link", "try_a_prompt", "whole_response",
    )  # fmt: skip
    inlines = (CitationInline,)

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.prompt_view)
        return [path("<uuid:turn_id>/prompt/", view, name="chat_turn_prompt"), *super().get_urls()]

    def prompt_view(self, request: HttpRequest, turn_id: UUID) -> HttpResponse:
        """Shows the messages a prompt would send for this turn. Stores nothing and calls no model."""
        turn = get_object_or_404(Turn, pk=turn_id)
        allowed = self.has_view_permission(request, turn) and request.user.has_perm("ladder.view_prompttext")
        if not allowed:
            raise PermissionDenied
        name = request.GET.get("name", "synthesize")
        if name not in SLOTS:
            raise Http404(f"prompt {name!r} cannot be filled from a stored turn; choose from {', '.join(SLOTS)}")
        text = request.POST.get("text") or prompt(name).text
        fault, messages = "", tuple[ChatMessage, ...]()
        try:
            messages = preview(turn, name, text.replace("\r\n", "\n"))
        except ValueError as error:
            fault = str(error)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Try a prompt"),
            "turn": turn,
            "name": name,
            "names": sorted(SLOTS),
            "text": text,
            "fault": fault,
            "messages_sent": messages,
        }
        return render(request, "admin/chat/turn/prompt.html", context)

    @admin.display(description=_("Pins and notes"))
    def entries(self, turn: Turn) -> SafeString | str:
        return entries_in_words(TurnAudit.objects.filter(conversation_id=turn.conversation_id, turn_id=turn.pk).first())

    @admin.display(description=_("Audit"))
    def audit_link(self, turn: Turn) -> SafeString | str:
        audit = TurnAudit.objects.filter(conversation_id=turn.conversation_id, turn_id=turn.pk).only("pk").first()
        if audit is None:
            return "–"
        url = reverse("audit_turn", args=[audit.pk])
        return format_html('<a href="{}">{}</a>', url, _("Decisions, and the models used"))

    @admin.display(description=_("Prompt"))
    def try_a_prompt(self, turn: Turn) -> SafeString:
        url = reverse("admin:chat_turn_prompt", args=[turn.pk])
        return format_html('<a href="{}">{}</a>', url, _("Try a changed prompt on this turn"))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Turn]:
        turns = super().get_queryset(request).select_related("conversation")
        is_detail = request.resolver_match and "object_id" in request.resolver_match.kwargs
        return turns if is_detail else turns.defer("response", "answer")

    @admin.display(description=_("Seconds"))
    def seconds(self, turn: Turn) -> str:
        return f"{(turn.finished_at - turn.started_at).total_seconds():.1f}" if turn.finished_at else "–"

    @admin.display(description=_("Answer"))
    def answer_text(self, turn: Turn) -> SafeString | str:
        return format_html('<div class="record-text" dir="auto">{}</div>', turn.answer) if turn.answer else "–"

    @admin.display(description=_("Response"))
    def whole_response(self, turn: Turn) -> SafeString:
        return pretty_json(turn.response)
