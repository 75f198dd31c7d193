"""Where in its sources a thread stands."""

import re
from collections.abc import Sequence

from chat.answering.domain import refusals
from chat.answering.domain.query.small_talk import small_talk_of
from chat.answering.domain.query.vagueness import vague_question
from chat.answering.domain.question import HistoryMessage, ThreadPlace

RECALLED_CHARS = 600  # of the last answer; an embedder reads little more
RECALLED_WORDS = 5  # an answer of fewer words ("Yes.") says where it stands only with its question
_MARK = re.compile(r"\s*\[[^\]\s]*\]")


def has_topic(history: Sequence[HistoryMessage]) -> bool:
    """Has something been asked about, or answered, that a question may lean on? A greeting is nothing of the kind."""
    asked = ""
    for message in history:
        if message.role == "user":
            asked = message.content
            if not small_talk_of(asked) and not vague_question(asked):
                return True
        elif not small_talk_of(asked) and _answers(message):
            return True
    return False


def _answers(message: HistoryMessage) -> bool:
    if message.cited is None:
        return bool(message.content.strip()) and not refusals.asks_back(message.content)
    return bool(message.cited)


def place_of(history: Sequence[HistoryMessage]) -> ThreadPlace | None:
    """Return the place of the last answer that quoted anything; None where no answer did."""
    answers = [(n, message) for n, message in enumerate(history) if message.role == "assistant"]
    for n, answer in reversed(answers):
        if answer.cited:
            return ThreadPlace(answer.cited)
        if answer.cited is None and answer.content.strip():
            said = _MARK.sub("", answer.content)[:RECALLED_CHARS]
            asked = next((message.content for message in reversed(history[:n]) if message.role == "user"), "")
            return ThreadPlace(recalled=said if len(said.split()) >= RECALLED_WORDS else f"{asked} {said}".strip())
    return None
