"""A reader's conversations as rows: the one response schema, and what each citation is re-checked by."""

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from audit.pseudonyms import asker_of
from chat.models import Citation, Conversation, Turn


def exported(conversations: Iterable[Conversation]) -> Iterator[dict[str, Any]]:
    """Yield each ended turn, oldest first: its response, and `conversation`, `asker`, `asked_at`, `references`.

    asker: a pseudonym (audit.pseudonyms). references: for each citation the hash of the passage it was taken from and
    the span of the quote in it, by which `recheck` finds it again.
    """
    for conversation in conversations:
        references = _references(conversation.pk)
        turns = Turn.objects.filter(conversation_id=conversation.pk).exclude(outcome="").order_by("started_at")
        for turn in turns.iterator():
            yield {
                **turn.response,
                "conversation": str(conversation.pk),
                "asker": asker_of(conversation.owner_id, conversation.visitor),
                "asked_at": turn.started_at.isoformat(),
                "references": references.get(turn.pk, []),
            }


def _references(conversation_id: UUID) -> dict[UUID, list[dict[str, Any]]]:
    found: dict[UUID, list[dict[str, Any]]] = {}
    for cited in Citation.objects.filter(conversation_id=conversation_id).order_by("n"):
        found.setdefault(cited.turn_id, []).append(
            {
                "n": cited.n,
                "chunk": str(cited.chunk_id) if cited.chunk_id else None,
                "content_hash": cited.chunk_hash,
                "char_start": cited.char_start,
                "char_end": cited.char_end,
            }
        )
    return found
