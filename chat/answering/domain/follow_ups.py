"""What a model may put around an answer: a title, and questions to ask next. Read strictly; no marker comes through."""

import json
import re
from typing import Any

from chat.answering.domain.stream.gauntlet import Gauntlet
from chat.answering.domain.stream.tokens import MintedMarkers, Prose

TITLE_WORDS, TITLE_CHARS = 9, 60
QUESTIONS, QUESTION_CHARS = 3, 160
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"questions": {"type": "array", "items": {"type": "string"}}},
    "required": ["questions"],
    "additionalProperties": False,
}
_AROUND = re.compile(r"^[\W_]+|[\W_]+$")


def clean_title(text: str) -> str:
    """Return a title of one line, or "" where what came is none."""
    lines = _prose(text).strip().splitlines()
    title = _AROUND.sub("", " ".join(lines[0].split())) if lines else ""
    return title if len(title) <= TITLE_CHARS and len(title.split()) <= TITLE_WORDS else ""


def read_questions(text: str, asked: str) -> tuple[str, ...]:
    """Return the questions of {"questions": […]}, without the one already asked; none where it is something else."""
    try:
        read = json.loads(re.sub(r"^\s*```(?:json)?\s*|\s*```\s*$", "", text))
        proposed = [question for question in read["questions"] if isinstance(question, str)]
    except (ValueError, TypeError, KeyError, RecursionError):
        return ()
    plain = [" ".join(_prose(question).split()) for question in proposed]
    new = [question for question in dict.fromkeys(plain) if question.casefold() != asked.casefold()]
    return tuple(question for question in new if question.endswith("?") and len(question) <= QUESTION_CHARS)[:QUESTIONS]


def _prose(text: str) -> str:
    gauntlet = Gauntlet(MintedMarkers(notes=()))
    return "".join(part.text for part in gauntlet.feed(text) + gauntlet.flush() if isinstance(part, Prose))
