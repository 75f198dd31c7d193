"""A reader's conversations as rows: the one response schema, and whose and when it was."""

from collections.abc import Iterable, Iterator
from typing import Any

from audit.pseudonyms import asker_of
from chat.models import Conversation, Turn


def exported(conversations: Iterable[Conversation]) -> Iterator[dict[str, Any]]:
    """Yield each ended turn, oldest first: its response, and `conversation`, `asker` (a pseudonym), `asked_at`."""
    for conversation in conversations:
        turns = Turn.objects.filter(conversation_id=conversation.pk).exclude(outcome="").order_by("started_at")
        for turn in turns.iterator():
            yield {
                **turn.response,
                "conversation": str(conversation.pk),
                "asker": asker_of(conversation.owner_id, conversation.visitor),
                "asked_at": turn.started_at.isoformat(),
            }
