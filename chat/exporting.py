"""A reader's conversations as rows: the one response schema, and whose and when it was."""

from collections.abc import Iterable, Iterator
from typing import Any

from audit.feedback import feedback_in
from audit.models import Feedback
from audit.pseudonyms import asker_of
from chat.models import Conversation, Turn


def exported(conversations: Iterable[Conversation]) -> Iterator[dict[str, Any]]:
    """Yield each ended turn, oldest first: its response, and `conversation`, `asker` (a pseudonym), `asked_at`.

    feedback: what its reader said of it, {"kind", "citation", "sentence", "note", "given_at"} each.
    """
    for conversation in conversations:
        said = feedback_in(conversation.pk)
        turns = Turn.objects.filter(conversation_id=conversation.pk).exclude(outcome="").order_by("started_at")
        for turn in turns.iterator():
            yield {
                **turn.response,
                "conversation": str(conversation.pk),
                "asker": asker_of(conversation.owner_id, conversation.visitor),
                "asked_at": turn.started_at.isoformat(),
                "feedback": [_said(one) for one in said.get(turn.pk, ())],
            }


def _said(one: Feedback) -> dict[str, Any]:
    told = {name: getattr(one, name) for name in ("kind", "citation", "sentence", "note")}
    return {**told, "given_at": one.given_at.isoformat()}
