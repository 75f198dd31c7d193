"""A reader's conversations as rows: the one response schema, and whose and when it was."""

from collections.abc import Iterable, Iterator
from typing import Any

from audit.pseudonyms import asker_of
from chat.models import Conversation, Turn


def exported(conversations: Iterable[Conversation]) -> Iterator[dict[str, Any]]:
    """Yield each ended turn as it was recorded, oldest first, and whose it was: `asker`, a pseudonym."""
    for conversation in conversations:
        turns = Turn.objects.filter(conversation_id=conversation.pk).exclude(outcome="").order_by("started_at")
        asker = asker_of(conversation.owner_id, conversation.visitor)
        for turn in turns.iterator():
            yield {**row(turn), "asker": asker}


def row(turn: Turn) -> dict[str, Any]:
    """Return the response of an ended turn, with its `conversation` and `asked_at`."""
    return {
        **turn.response,
        "conversation": str(turn.conversation_id),
        "asked_at": turn.started_at.isoformat(),
    }
