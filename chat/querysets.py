from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models

if TYPE_CHECKING:
    from chat.answering.domain.viewer import Viewer
    from chat.models import Conversation  # noqa: F401 - the base class refers to it


class ConversationQuerySet(models.QuerySet["Conversation"]):
    def owned_by(self, viewer: Viewer) -> ConversationQuerySet:
        """The conversations of this account, or of this browser session without an account; no deleted ones."""
        return self._of(viewer).filter(deleted_at=None)

    def deleted_by(self, viewer: Viewer) -> ConversationQuerySet:
        """The conversations that this viewer has deleted and can still restore."""
        return self._of(viewer).exclude(deleted_at=None)

    def _of(self, viewer: Viewer) -> ConversationQuerySet:
        if viewer.user_id is not None:
            return self.filter(owner_id=viewer.user_id)
        return self.filter(owner=None, visitor=viewer.visitor) if viewer.visitor else self.none()
