"""Telling Langfuse of turns, where an operator set its keys: a trace a turn, a generation for each call of a model.

A turn neither waits for this nor notices its faults. Prompts and passages are never sent; what is sent of a question
is for the caller to redact. Without keys nothing is imported and nothing leaves.
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

SECONDS = 5  # a request to Langfuse may take; nobody waits for it but `doctor`
INSTALL = "pip install -r requirements-langfuse.txt -c constraints.txt"
_teller = ThreadPoolExecutor(max_workers=1, thread_name_prefix="langfuse")


@dataclass(frozen=True, slots=True)
class ObservedTurn:
    """A turn as it is told. asker: a pseudonym. began: seconds since 1970. facts: how it ended, without texts."""

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
    """Have Langfuse told of a turn, some time after this returns; what fails is logged and forgotten."""
    if settings.LANGFUSE is not None:
        _teller.submit(_told, settings.LANGFUSE, turn)


def trouble(keys: LangfuseKeys) -> str:
    """Return why Langfuse cannot be told of turns now; "" where it can."""
    try:
        import langfuse  # noqa: F401
    except ImportError:
        return f"its package is not installed: {INSTALL}"
    try:
        asked = httpx.get(f"{keys.host}/api/public/projects", auth=(keys.public_key, keys.secret_key), timeout=SECONDS)
    except httpx.HTTPError as error:
        return f"{keys.host} cannot be reached: {type(error).__name__}"
    if asked.status_code in (401, 403):
        return f"{keys.host} does not take these keys (HTTP {asked.status_code})"
    return "" if asked.is_success else f"{keys.host} answered HTTP {asked.status_code}"


def _told(keys: LangfuseKeys, turn: ObservedTurn) -> None:
    try:
        from lectorium.langfuse_client import send

        send(keys, turn)
    except Exception as error:  # noqa: BLE001 - whatever it is, the turn is answered and recorded
        log.warning("Langfuse is not told of turn %s: %s: %s", turn.turn, type(error).__name__, error)
