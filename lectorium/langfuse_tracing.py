"""Reports turns to Langfuse if its keys are set: a trace per turn, a generation per model call.

A turn does not wait for this or notice its faults. Prompts and passages are never sent, and the caller redacts the
question. Without keys nothing is imported or sent.
"""

import logging
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
from django.conf import settings

from lectorium.env import LangfuseKeys
from lectorium.ladder.calls import Call

log = logging.getLogger(__name__)

SECONDS = 5  # timeout of a request to Langfuse
INSTALL = "pip install --no-deps --require-hashes -r locks/langfuse.txt"
_sender = ThreadPoolExecutor(max_workers=1, thread_name_prefix="langfuse")


@dataclass(frozen=True, slots=True)
class ObservedTurn:
    """A turn as sent. asker: a pseudonym. began: seconds since 1970. facts: the outcome, without texts."""

    turn: UUID
    conversation: UUID
    asker: str
    question: str
    answer: str
    began: float
    seconds: float
    facts: Mapping[str, Any]
    calls: tuple[Call, ...]


def send_turn(turn: ObservedTurn) -> None:
    """Queue a turn for sending; failures are only logged."""
    if settings.LANGFUSE is not None:
        _sender.submit(_send_logged, settings.LANGFUSE, turn)


def trouble(keys: LangfuseKeys) -> str:
    """Why Langfuse cannot be reached; "" if it can."""
    try:
        import langfuse  # noqa: F401
    except ImportError:
        return f"its package is not installed: {INSTALL}"
    try:
        asked = httpx.get(f"{keys.host}/api/public/projects", auth=(keys.public_key, keys.secret_key), timeout=SECONDS)
    except httpx.HTTPError as error:
        return f"{keys.host} cannot be reached: {type(error).__name__}"
    if asked.status_code in (401, 403):
        return f"{keys.host} rejects these keys (HTTP {asked.status_code})"
    return "" if asked.is_success else f"{keys.host} answered HTTP {asked.status_code}"


def _send_logged(keys: LangfuseKeys, turn: ObservedTurn) -> None:
    try:
        from lectorium.langfuse_client import send

        send(keys, turn)
    except Exception as error:  # noqa: BLE001 - whatever it is, the turn is answered and recorded
        log.warning("turn %s was not sent to Langfuse: %s: %s", turn.turn, type(error).__name__, error)
