"""Our own sentences in an answer, put into the reader's interface language wherever the answer is shown."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.utils.translation import get_language

from chat.answering.domain.events import EDITORS
from chat.answering.domain.messages import ONLY_ENGLISH, only_english
from chat.conversations.domain.masking import SAYS
from chat.conversations.wordings import WORDINGS
from lectorium.texts.local_text import local, rewording

SENTENCES = frozenset({"message", "searched", "next_step", "summary", "detail"})
PARTS = frozenset({"response", "warnings", "turns"})  # what else of an event or a response holds sentences of ours


def local_message(text: str) -> str:
    """A stored sentence of ours in the active language; anything else unchanged."""
    language = get_language() or settings.LANGUAGE_CODE
    if not text or language == settings.LANGUAGE_CODE:
        return text
    if text == ONLY_ENGLISH["en"]:
        return only_english(language)[0]
    return local(text, _REWORDING)


def with_local_messages(values: Any) -> Any:
    """An event, a response or a list of them with its sentences in the active language. Codes and quotes stay."""
    if get_language() == settings.LANGUAGE_CODE:
        return values
    if isinstance(values, list | tuple):
        return [with_local_messages(value) for value in values]
    if not isinstance(values, Mapping) or values.get("kind") == EDITORS:
        return values
    local = {name: _local(name, value) for name, value in values.items()}
    if answer := values.get("answer"):
        local["answer"] = _local_answer(answer, values.get("message", ""))
    if values.get("type") == "notice" and local["message"] != values["message"]:
        local["language"] = get_language()
    return local


def _local(name: str, value: Any) -> Any:
    if name in PARTS:
        return with_local_messages(value)
    return local_message(value) if name in SENTENCES and isinstance(value, str) else value


def _local_answer(answer: str, message: str) -> str:
    """The answer's Markdown, which begins with the message where there is one, and ends with what is not shown."""
    if message and answer.startswith(message):
        answer = local_message(message) + answer.removeprefix(message)
    return answer.removesuffix(SAYS) + local_message(SAYS) if answer.endswith(SAYS) else answer


_REWORDING = rewording(WORDINGS)
