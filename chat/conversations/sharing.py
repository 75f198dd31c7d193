"""Links at which others may read a conversation. Only a token's hash is stored, so its address is shown once."""

import hashlib
import secrets
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.answering.domain.viewer import Viewer
from chat.conversations.selectors import shared_turns
from chat.conversations.services import ConversationNotFound
from chat.conversations.viewers import viewer_of
from chat.models import Conversation, SharedLink, Turn

LINKS_OF_A_READER = 50
TOKEN_BYTES = 32
TOO_MANY = _("You share %(most)s conversations, which is the most. Revoke a link before you make another.")
NOTHING = _("There is nothing to share yet: no answer of this conversation is complete.")


class SharingRefused(Exception):
    """No link can be made; the message is for the reader."""


@transaction.atomic
def link_make(*, viewer: Viewer, conversation_id: UUID) -> tuple[str, datetime]:
    """Replace the conversation's link, which revokes the earlier one; return its token and when it was made.

    Raises ConversationNotFound where it is not the viewer's, and SharingRefused.
    """
    own = Conversation.objects.owned_by(viewer)
    if own.select_for_update().filter(pk=conversation_id).first() is None:  # it is not deleted meanwhile
        raise ConversationNotFound(str(conversation_id))
    others = SharedLink.objects.filter(conversation_id__in=own.order_by().values("pk"))
    if others.exclude(conversation_id=conversation_id).count() >= LINKS_OF_A_READER:
        raise SharingRefused(TOO_MANY % {"most": LINKS_OF_A_READER})
    if not Turn.objects.filter(conversation_id=conversation_id).exclude(outcome="").exists():
        raise SharingRefused(NOTHING)
    token, now = secrets.token_urlsafe(TOKEN_BYTES), timezone.now()
    SharedLink.objects.filter(conversation_id=conversation_id).delete()
    SharedLink.objects.create(conversation_id=conversation_id, token_hash=_hash(token), made_at=now)
    return token, now


def link_revoke(*, viewer: Viewer, conversation_id: UUID) -> None:
    """End the conversation's link, if it has one. Raises ConversationNotFound where it is not the viewer's."""
    if not Conversation.objects.owned_by(viewer).filter(pk=conversation_id).exists():
        raise ConversationNotFound(str(conversation_id))
    SharedLink.objects.filter(conversation_id=conversation_id).delete()


def shared_by(token: str, visitor: Viewer) -> tuple[SharedLink, Conversation, list[Turn]] | None:
    """The link of this token, its conversation and what the visitor may see of it; None where nothing is shared.

    An account that was closed shares nothing.
    """
    link = SharedLink.objects.filter(token_hash=_hash(token)).first()
    if link is None:
        return None
    conversation = Conversation.objects.select_related("owner").filter(pk=link.conversation_id, deleted_at=None).first()
    if conversation is None or (conversation.owner and not conversation.owner.is_active):
        return None
    owner = viewer_of(conversation.owner or AnonymousUser(), None)
    turns = shared_turns(link, owner, visitor)
    return (link, conversation, turns) if turns else None


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
