"""Admin actions that publish and withdraw sources."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.contrib.auth import get_permission_codename
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from corpus.services import source_publish, source_withdraw


class PublishingAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Adds both actions for users who may change the model; the records stay read-only."""

    actions: Any = ("publish", "withdraw")

    def has_publish_permission(self, request: HttpRequest) -> bool:
        user, opts = request.user, self.opts
        return bool(user.has_perm(f"{opts.app_label}.{get_permission_codename('change', opts)}"))

    @admin.action(description=_("Publish: show in search and answers again"), permissions=["publish"])
    def publish(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        self._move(
            request, chosen, source_publish, (_("%(n)s published."), _("%(n)s published, %(rest)s already were."))
        )

    @admin.action(description=_("Withdraw: hide from search and answers at once"), permissions=["publish"])
    def withdraw(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        self._move(
            request, chosen, source_withdraw, (_("%(n)s withdrawn."), _("%(n)s withdrawn, %(rest)s already were."))
        )

    def _move(
        self, request: HttpRequest, chosen: QuerySet[Any], service: Callable[..., bool], done: tuple[Any, Any]
    ) -> None:
        moved = sum(service(source=source) for source in chosen)
        counts = {"n": moved, "rest": len(chosen) - moved}
        self.message_user(request, done[bool(counts["rest"])] % counts, messages.SUCCESS)
