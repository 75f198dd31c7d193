"""The earlier messages that a client sends with its question. They help to understand it; no answer rests on them."""

from typing import Any

from django.utils.translation import gettext_noop as _

from chat.answering.domain.query.checks import BadMessage, is_unicode
from chat.answering.domain.question import HistoryMessage
from chat.conversations.services import HISTORY_TURNS

ROLES = ("user", "assistant")
MOST = 2 * HISTORY_TURNS  # messages, as of a conversation that is kept here
MAX_CHARS = 4_000  # of each; the rest is ignored
BAD_HISTORY = _('The history must be a list of {"role": "user" or "assistant", "content": text}.')
NO_QUESTION = _('"messages" must hold one whose "role" is "user": the last is the question.')


def check_history(messages: object) -> tuple[HistoryMessage, ...]:
    """Return the latest of [{"role": "user" or "assistant", "content"}], oldest first. Raises BadMessage."""
    if messages is None:
        return ()
    if not isinstance(messages, list) or not all(map(_is_message, messages)):
        raise BadMessage(BAD_HISTORY, "history")
    return tuple(
        HistoryMessage(message["role"], message["content"].replace("\x00", "")[:MAX_CHARS])
        for message in messages[-MOST:]
    )


def check_messages(messages: object) -> tuple[str, tuple[HistoryMessage, ...]]:
    """Return the last user message, which is the question, and the messages before it. Raises BadMessage.

    Messages of other roles, such as system, are ignored.
    """
    if not isinstance(messages, list) or not all(map(_has_role, messages)):
        raise BadMessage(_('"messages" must be a list of {"role", "content"}.'), "messages")
    read = [{"role": message["role"], "content": _text(message.get("content"))} for message in messages]
    said = [message for message in read if message["role"] in ROLES]
    asked = [place for place, message in enumerate(said) if message["role"] == "user"]
    if not asked:
        raise BadMessage(NO_QUESTION, "messages")
    last = asked[-1]
    return said[last]["content"], check_history([message for message in said[:last] if message["content"]])


def _has_role(message: object) -> bool:
    return isinstance(message, dict) and isinstance(message.get("role"), str)


def _text(content: Any) -> str:
    """The text of a message's content: a string, a list of text parts, or nothing."""
    parts = content if isinstance(content, list) else [{"type": "text", "text": "" if content is None else content}]
    if not all(isinstance(part, dict) and part.get("type") == "text" for part in parts):
        raise BadMessage(_("Only text can be read here: a message holds something else."), "messages")
    if not all(isinstance(part.get("text"), str) for part in parts):
        raise BadMessage(_('The "content" of a message must be text.'), "messages")
    return "\n".join(part["text"] for part in parts)


def _is_message(message: object) -> bool:
    if not isinstance(message, dict) or message.get("role") not in ROLES:
        return False
    return isinstance(message.get("content"), str) and is_unicode(message["content"])
