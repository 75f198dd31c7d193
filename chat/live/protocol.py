"""Parses a client's messages: ask, stop or resume; for any other, one sentence says what is wrong."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_noop as _

from chat.answering.domain.query.asked_scope import BadScope, scope_of
from chat.answering.domain.query.checks import BadMessage, check_mode, check_question, is_unicode
from chat.answering.domain.question import Mode

MAX_MESSAGE_CHARS = 64_000

MAX_LOCALE_CHARS = 12

_TOKEN = re.compile(r"[\w-]{1,80}", re.ASCII)


@dataclass(frozen=True, slots=True)
class AskMessage:
    question: str
    mode: Mode
    locale: str
    conversation: UUID | None
    scope: str | None
    as_typed: bool = False


@dataclass(frozen=True, slots=True)
class StopMessage:
    """turn: which to stop, where another connection runs it; None stops what this connection runs or follows."""

    turn: UUID | None = None


@dataclass(frozen=True, slots=True)
class ResumeMessage:
    turn: UUID
    after: int


def parse_message(text: str, *, max_question: int) -> AskMessage | StopMessage | ResumeMessage:
    """Return the message. Raises BadMessage with one clear sentence; `max_question` is in characters."""
    if len(text) > MAX_MESSAGE_CHARS:
        raise BadMessage(f"The message has {len(text):,} characters; at most {MAX_MESSAGE_CHARS:,} are read.")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadMessage(_("The message is not JSON.")) from error
    kind = message.get("type") if isinstance(message, dict) else None
    if kind == "ask":
        return check_ask(message, max_question)
    if kind == "stop":
        turn = message.get("turn")
        return StopMessage(None if turn is None else _uuid(turn, "turn"))
    if kind == "resume":
        return _resume(message)
    raise BadMessage(_('The message needs a "type": ask, stop or resume.'))


def check_ask(message: Mapping[str, Any], max_question: int) -> AskMessage:
    """Return the question with its options. Raises BadMessage; `max_question` is in characters."""
    conversation = message.get("conversation")
    scope, locale = (None if value == "" else value for value in (message.get("scope"), message.get("locale")))
    locale = "en" if locale is None else locale
    _check_scope(scope)
    if not _is_token(locale) or len(locale) > MAX_LOCALE_CHARS:
        raise BadMessage(_('The locale must be a language code such as "en".'), "locale")
    return AskMessage(
        question=check_question(message.get("question"), max_question),
        mode=check_mode(message.get("mode")),
        locale=locale,
        conversation=None if conversation is None else _uuid(conversation, "conversation"),
        scope=scope,
        as_typed=message.get("as_typed") is True,
    )


def _check_scope(scope: object) -> None:
    if scope is not None and not (isinstance(scope, str) and is_unicode(scope)):
        raise BadMessage(_("The scope must be text, such as a collection's key."), "scope")
    try:
        scope_of(scope or "")
    except BadScope as error:
        raise BadMessage(str(error), "scope") from error


def _resume(message: dict[str, Any]) -> ResumeMessage:
    after = message.get("after")
    if not isinstance(after, int) or isinstance(after, bool) or not 0 <= after < 2**31:
        raise BadMessage(_('"after" must be the number of the last event received, 0 or more.'), "after")
    return ResumeMessage(turn=_uuid(message.get("turn"), "turn"), after=after)


def _is_token(value: object) -> bool:
    return isinstance(value, str) and bool(_TOKEN.fullmatch(value))


def _uuid(value: object, name: str) -> UUID:
    try:
        return UUID(str(value))
    except ValueError as error:
        raise BadMessage(f"The {name} is not a known id.", name) from error
