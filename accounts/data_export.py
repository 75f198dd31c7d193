"""Everything of a reader's own in one ZIP: the account, the conversations as JSON, and the feedback."""

import json
from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile

from django.contrib.auth.models import User
from django.http import HttpRequest

from accounts.models import Profile, ProviderIdentity
from audit.feedback import feedback_in
from chat.api.models import Token
from chat.conversations import selectors
from chat.conversations.export_rows import feedback_row
from chat.conversations.saved_files import FORMATS
from chat.conversations.viewers import viewer_of
from chat.models import Conversation

_, _as_json = FORMATS["json"]


def export_file(request: HttpRequest, user: User) -> IO[bytes]:
    """Return the open ZIP file. What a reader may no longer see is left out of the answers, as in a saved file."""
    viewer = viewer_of(user, None)
    file = TemporaryFile()  # noqa: SIM115 - the response closes it
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        archive.writestr("account.json", _json(_account(user)))
        conversations = list(Conversation.objects.owned_by(viewer).order_by("created_at"))
        for conversation in conversations:
            turns = selectors.ended_turns(conversation.pk, viewer)
            name = f"conversations/{conversation.created_at:%Y-%m-%d}-{conversation.pk}.json"
            archive.writestr(name, _as_json(request, conversation, turns))
        archive.writestr("feedback.json", _json(list(_feedback(conversations))))
    file.seek(0)
    return file


def _account(user: User) -> dict[str, Any]:
    profile = Profile.objects.filter(user=user).first() or Profile(user=user)
    return {
        "username": user.get_username(),
        "email": user.email,
        "first_name": user.first_name,
        "last_name": user.last_name,
        "joined_at": user.date_joined.isoformat(),
        "last_signed_in_at": user.last_login.isoformat() if user.last_login else None,
        "language": profile.language,
        "mode": profile.mode,
        "keep_days": profile.keep_days,
        "identities": list(ProviderIdentity.objects.filter(user=user).values("issuer", "subject")),
        "tokens": [
            {"name": token.name, "access": token.access, "created_at": token.created_at.isoformat()}
            for token in Token.objects.filter(owner=user)
        ],
    }


def _feedback(conversations: list[Conversation]) -> Iterator[dict[str, Any]]:
    for conversation in conversations:
        for turn, given in feedback_in(conversation.pk).items():
            for feedback in given:
                yield {"conversation": str(conversation.pk), "turn": str(turn), **feedback_row(feedback)}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
