"""The reader of another site's frame, whom the form knows and no cookie."""

from secrets import token_urlsafe

from django.contrib.auth.models import AnonymousUser
from django.core import signing

from chat.live.visitors import Visitor

KEY_BYTES = 16
KEY_SECONDS = 24 * 3600  # how long a frame that stays open goes on with its conversation
_SALT = "chat.embed"


def new_key() -> str:
    return token_urlsafe(KEY_BYTES)


def signed_key(key: str) -> str:
    """The key as the form carries it."""
    return signing.dumps(key, salt=_SALT)


def key_of(signed: str) -> str:
    """The reader's key; a new one where it is missing, forged or too old."""
    try:
        return str(signing.loads(signed, salt=_SALT, max_age=KEY_SECONDS))
    except signing.BadSignature:
        return new_key()


def frame_visitor(key: str) -> Visitor:
    """An anonymous reader, whoever has signed in to this site in the same browser."""
    return Visitor(AnonymousUser(), f"embed {key}")
