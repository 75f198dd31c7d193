"""API tokens in admin: a token is shown once, when it is made; afterwards it can only be revoked."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from chat.api.models import Token, ToolCall
from chat.api.services import token_create, token_revoke
from lectorium.record_admin import RecordAdmin, pretty_json


@admin.register(Token)
class TokenAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Staff see and make their own tokens; a superuser sees everyone's."""

    list_display = ("name", "owner", "access", "created_at", "last_used_at", "revoked_at")
    list_select_related = ("owner",)
    search_fields = ("name", "owner__username")
    date_hierarchy = "created_at"
    autocomplete_fields = ("owner",)
    actions = ("revoke",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Token]:
        tokens: QuerySet[Token] = super().get_queryset(request)
        return tokens if _is_superuser(request) else tokens.filter(owner_id=request.user.pk)

    def get_fields(self, request: HttpRequest, obj: Token | None = None) -> tuple[str, ...]:
        if obj:
            return ("name", "owner", "access", "created_at", "last_used_at", "revoked_at")
        return ("name", "owner", "access") if _is_superuser(request) else ("name", "access")

    def get_readonly_fields(self, request: HttpRequest, obj: Token | None = None) -> tuple[str, ...]:
        return self.get_fields(request, obj) if obj else ()

    def save_model(self, request: HttpRequest, obj: Token, form: Any, change: bool) -> None:
        if not change:
            owner = obj.owner if _is_superuser(request) else request.user
            made, request.made_secret = token_create(owner=owner, name=obj.name, access=obj.access)  # type: ignore[attr-defined,arg-type]
            obj.pk, obj.owner_id, obj.digest = made.pk, made.owner_id, made.digest

    def response_add(self, request: HttpRequest, obj: Token, post_url_continue: str | None = None) -> HttpResponse:
        return _shown_once(request, obj, self.admin_site.each_context(request))

    @admin.action(description=_("Revoke the selected tokens"), permissions=["change"])
    def revoke(self, request: HttpRequest, tokens: QuerySet[Token]) -> None:
        revoked = sum(token_revoke(token_id=token.pk) for token in tokens)
        self.message_user(
            request,
            _("Revoked: %(number)s. They count for nothing from now on.") % {"number": revoked},
            messages.SUCCESS,
        )


@admin.register(ToolCall)
class ToolCallAdmin(RecordAdmin):
    list_display = ("created_at", "user", "tool", "outcome", "message", "milliseconds")
    list_filter = ("outcome", "tool", "transport")
    list_select_related = ("user",)
    search_fields = ("user__username", "tool", "message")
    date_hierarchy = "created_at"
    fields = ("created_at", "user", "token", "transport", "tool", "sent", "outcome", "message", "milliseconds")
    readonly_fields = fields

    @admin.display(description=_("Arguments"))
    def sent(self, call: ToolCall) -> SafeString:
        return pretty_json(call.arguments)


@never_cache
def _shown_once(request: HttpRequest, token: Token, context: dict[str, Any]) -> HttpResponse:
    secret = request.made_secret  # type: ignore[attr-defined]
    return render(
        request, "admin/api/token/made.html", {**context, "title": _("Token made"), "token": token, "secret": secret}
    )


def _is_superuser(request: HttpRequest) -> bool:
    return bool(getattr(request.user, "is_superuser", False))
