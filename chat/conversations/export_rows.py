"""A reader's conversations as rows: the response, with whose it was and when."""

from collections.abc import Iterable, Iterator
from typing import Any

from audit.feedback import feedback_in
from audit.models import Feedback
from audit.pseudonyms import asker_of
from chat.models import Conversation, Turn


def export_rows(conversations: Iterable[Conversation]) -> Iterator[dict[str, Any]]:
    """Yield each ended turn as it was recorded, oldest first, and whose it was: `asker`, a pseudonym.

    feedback: what its reader said of it, {"kind", "citation", "sentence", "note", "given_at"} each.
    """
    for conversation in conversations:
        said = feedback_in(conversation.pk)
        turns = Turn.objects.filter(conversation_id=conversation.pk).exclude(outcome="").order_by("started_at")
        asker = asker_of(conversation.owner_id, conversation.visitor)
        for turn in turns.iterator():
            yield {
                **row(turn),
                "asker": asker,
                "feedback": [feedback_row(feedback) for feedback in said.get(turn.pk, ())],
            }


def row(turn: Turn) -> dict[str, Any]:
    """Return the response of an ended turn, with its `conversation` and `asked_at`."""
    return {
        **turn.response,
        "conversation": str(turn.conversation_id),
        "asked_at": turn.started_at.isoformat(),
    }


def feedback_row(feedback: Feedback) -> dict[str, Any]:
    values = {name: getattr(feedback, name) for name in ("kind", "citation", "sentence", "note")}
    return {**values, "given_at": feedback.given_at.isoformat()}
