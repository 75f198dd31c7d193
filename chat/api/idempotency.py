"""Idempotency keys: a question that is sent again with its key is answered by the same turn, never by a second one."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_noop as _
from rest_framework.request import Request

from chat.answering.domain.query.checks import BadMessage
from chat.answering.domain.question import Question
from chat.api.errors import KeyReused
from chat.api.models import IdempotencyKey
from chat.conversations import services
from chat.models import Turn

HEADER = "Idempotency-Key"
KEPT = timedelta(days=1)
BAD_KEY = _("The Idempotency-Key must be 1 to 255 visible ASCII characters, such as a UUID.")
NOT_THE_QUESTION = frozenset({"stream"})  # how the answer is sent, not what is asked
_KEY = re.compile(r"[!-~]{1,255}")


class KeyTaken(Exception):
    """The same question came with this key at the same moment, and its turn has begun."""


@dataclass(frozen=True, slots=True)
class AskKey:
    """A key of an account. digest, body: keyed hashes, so that what is stored tells neither key nor question."""

    owner_id: int
    digest: str
    body: str


def ask_key(request: Request, body: Mapping[str, Any]) -> AskKey | None:
    """The key of a request, None without one. Raises BadMessage."""
    key = request.headers.get(HEADER)
    if key is None:
        return None
    if not _KEY.fullmatch(key):
        raise BadMessage(BAD_KEY, HEADER)
    asked = {name: value for name, value in body.items() if name not in NOT_THE_QUESTION}
    return AskKey(request.user.pk or 0, _digest(key), _digest(json.dumps(asked, sort_keys=True)))


def turn_of_key(key: AskKey) -> UUID | None:
    """The turn that was begun with this key in the last day. Raises KeyReused where it was another question."""
    kept = IdempotencyKey.objects.filter(owner_id=key.owner_id, digest=key.digest, created_at__gt=Now() - KEPT).first()
    if kept is None:
        return None
    if kept.body != key.body:
        raise KeyReused
    return kept.turn_id


def keyed_turn_start(*, key: AskKey, question: Question, conversation_id: UUID | None) -> tuple[Turn, Question]:
    """Open a turn and bind the key to it, or neither. Raises KeyTaken, and what `turn_start` raises.

    A second request with the key waits at the unique index until this transaction ends.
    """
    with transaction.atomic():
        mine = IdempotencyKey.objects.filter(owner_id=key.owner_id, digest=key.digest)
        mine.filter(created_at__lte=Now() - KEPT).delete()
        try:
            with transaction.atomic():
                kept = IdempotencyKey.objects.create(owner_id=key.owner_id, digest=key.digest, body=key.body)
        except IntegrityError as error:
            raise KeyTaken from error
        turn, threaded = services.turn_start(question=question, conversation_id=conversation_id)
        mine.filter(pk=kept.pk).update(turn_id=turn.pk)
    return turn, threaded


def keys_expire() -> int:
    """Delete keys older than a day; return how many."""
    return IdempotencyKey.objects.filter(created_at__lte=Now() - KEPT).delete()[0]


def _digest(text: str) -> str:
    return salted_hmac("lectorium.api.idempotency", text, algorithm="sha256").hexdigest()
