"""Publishing and withdrawing from the lists of lectures and works, many at once."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.contrib.auth import get_permission_codename
from django.db.models import QuerySet
from django.http import HttpRequest

from corpus.services import source_publish, source_withdraw


class PublishingAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Adds both actions for whoever may change the model; the records stay read-only otherwise."""

    actions: Any = ("publish", "withdraw")

    def has_publish_permission(self, request: HttpRequest) -> bool:
        user, opts = request.user, self.opts
        return bool(user.has_perm(f"{opts.app_label}.{get_permission_codename('change', opts)}"))

    @admin.action(description="Publish: look-ups find it again", permissions=["publish"])
    def publish(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        self._move(request, chosen, source_publish, "published")

    @admin.action(description="Withdraw: no look-up finds it from now on", permissions=["publish"])
    def withdraw(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        self._move(request, chosen, source_withdraw, "withdrawn")

    def _move(self, request: HttpRequest, chosen: QuerySet[Any], service: Callable[..., bool], done: str) -> None:
        moved = sum(service(source=source) for source in chosen)
        already = f", {len(chosen) - moved} already were" if moved < len(chosen) else ""
        self.message_user(request, f"{moved} {done}{already}.", messages.SUCCESS)
