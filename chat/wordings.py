"""The sentences of answers, which staff read too, and why a stored turn cannot be asked again or filled in."""

from chat.conversations.wordings import WORDINGS as ANSWERS
from lectorium.texts.wordings import MessageWording

_TEXTS = (
    # chat/replay.py
    "The turn was deleted, so there is no question to ask again.",
    "No collection is open to both the reader and you any more.",
    "The row of the ladder that was to be tried is gone.",
    # chat/prompt_preview.py
    "this turn has no model draft with a failed sentence; choose another turn",
    "this turn has no sentence with a citation; choose another turn",
)
WORDINGS = (*ANSWERS, *map(MessageWording, _TEXTS))
