"""Reads conversations: a viewer's own, their turns and stored events; and example questions."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, OuterRef, Q

from audit.domain.feedback import Target, claim_at, target_of
from audit.feedback import feedback_in
from audit.models import Feedback
from chat.answering.domain.response import TurnResponse
from chat.answering.domain.viewer import Viewer
from chat.conversations.domain.masking import events_for, responses_for, without_surroundings
from chat.conversations.visibility import visible_quotes, visible_sources
from chat.models import Conversation, SharedLink, Turn, TurnEvent
from corpus.models import Lecture

CONVERSATIONS_LISTED = 100
ANSWERABLE_SHOWN, REFUSED_SHOWN = 4, 1


def conversations(viewer: Viewer, words: str = "") -> Sequence[Conversation]:
    """The viewer's latest conversations, newest first; only those with each of `words` in the title or a question."""
    found = Conversation.objects.owned_by(viewer)
    for word in words.split():
        asked = Turn.objects.filter(conversation_id=OuterRef("pk"), question__icontains=word)
        found = found.filter(Q(title__icontains=word) | Exists(asked))
    return list(found[:CONVERSATIONS_LISTED])


def asked_questions(most: int) -> list[str]:
    """Up to `most` different questions of all readers, the latest first; for measuring, never to be shown."""
    latest = Turn.objects.order_by("-started_at").values_list("question", flat=True)[: 10 * most]
    return list(dict.fromkeys(filter(None, latest)))[:most]


def conversation(viewer: Viewer, conversation_id: UUID) -> Conversation | None:
    """One of the viewer's own conversations, or None: another reader's looks like a missing one."""
    return Conversation.objects.owned_by(viewer).filter(pk=conversation_id).first()


def stored_turns(conversation_id: UUID, viewer: Viewer) -> list[dict[str, Any]]:
    """Return a conversation's turns as the page draws them, oldest first; `outcome` is empty while one runs.

    What the viewer may no longer see is left out of them. feedback: what was said of each turn, {"kind", "citation",
    "claim": the words of the sentence} each; zero and "" for a whole answer. suggestions: questions to ask next; none
    where part of the answer is left out, because they may speak of it.
    """
    turns = list(
        Turn.objects.filter(conversation_id=conversation_id).only("question", "response", "outcome", "suggestions")
    )
    answered = [turn.response for turn in turns]
    said = feedback_in(conversation_id) if turns else {}
    return [
        {
            "turn": str(turn.pk),
            "question": turn.question,
            "outcome": turn.outcome,
            "response": turn.response,
            "feedback": _given(said.get(turn.pk, ()), response, turn.response),
            "suggestions": turn.suggestions if turn.response == response else [],
        }
        for turn, response in zip(_seen_by([viewer], turns), answered, strict=True)
    ]


def ended_turns(conversation_id: UUID, viewer: Viewer) -> list[Turn]:
    """A conversation's ended turns, oldest first, with what the viewer may see of their responses."""
    ended = Turn.objects.filter(conversation_id=conversation_id).exclude(outcome="")
    return _seen_by([viewer], ended.only("conversation_id", "question", "response", "outcome", "started_at"))


def shared_turns(link: SharedLink, owner: Viewer, visitor: Viewer) -> list[Turn]:
    """The turns that had ended when the link was made, with what both owner and visitor may see of them today.

    Nothing is left of a source that the visitor may not open, not even its title.
    """
    ended = Turn.objects.filter(conversation_id=link.conversation_id, finished_at__lte=link.made_at)
    turns = _seen_by([owner, visitor], ended.exclude(outcome=""), opened_by=visitor)
    if not set(owner.collections) <= set(visitor.collections):
        for turn in turns:
            turn.response = without_surroundings(turn.response)
    return turns


def stored_response(turn: Turn, response: Mapping[str, Any] | None = None) -> TurnResponse:
    """Read a turn's row, also one of an earlier version, or of a turn that ended without a response.

    response: the stored one with translated titles, in place of the row's own.
    """
    row = {"id": turn.pk, "question": turn.question, "mode": turn.mode, "outcome": turn.outcome}
    return TurnResponse.model_validate({**row, **(turn.response if response is None else response)})


def shared_at(conversation: Conversation) -> datetime | None:
    """Return when the conversation's link was made, or None while it has none."""
    return SharedLink.objects.filter(conversation_id=conversation.pk).values_list("made_at", flat=True).first()


def turn_of(turn_id: UUID, viewer: Viewer) -> Turn | None:
    """Return a turn of one of the viewer's own conversations, or None."""
    own = Conversation.objects.owned_by(viewer)
    return Turn.objects.filter(pk=turn_id, conversation__in=own).first()


def events_after(turn: Turn, seq: int) -> list[dict[str, Any]]:
    """The stored events of a turn after event number `seq`, in order."""
    events = TurnEvent.objects.filter(conversation_id=turn.conversation_id, turn=turn, seq__gt=seq)
    return list(events.order_by("seq").values_list("payload", flat=True))


def events_missed(turn: Turn, seq: int, viewer: Viewer) -> list[dict[str, Any]]:
    """The same, without what the viewer may no longer see."""
    events = events_after(turn, seq)
    return events_for(events, visible_quotes(viewer, events))


def example_questions(viewer: Viewer) -> dict[str, list[str]]:
    """Example questions, by whether they are answered; none where the viewer sees no sample lecture."""
    samples: Path = settings.SAMPLES_DIR / "questions.json"
    if not samples.is_file():
        return {}
    stored = json.loads(samples.read_text(encoding="utf-8"))
    expected = {key for entry in stored["answerable"] for key in entry["expect"]}
    visible = Lecture.objects.filter(collection__in=viewer.collections, key__in=expected)
    present = set(visible.values_list("key", flat=True))
    answerable = [entry["question"] for entry in stored["answerable"] if present.intersection(entry["expect"])]
    if not answerable:
        return {}
    apart = max(1, len(answerable) // ANSWERABLE_SHOWN)
    return {
        "answerable": answerable[::apart][:ANSWERABLE_SHOWN],
        "refused": [entry["question"] for entry in stored["refused"][:REFUSED_SHOWN]],
    }


def _seen_by(viewers: Sequence[Viewer], turns: Iterable[Turn], opened_by: Viewer | None = None) -> list[Turn]:
    # The rows keep what was answered; these copies of them are only shown.
    shown = list(turns)
    sights = [visible_quotes(viewer, [turn.response for turn in shown]) for viewer in viewers]
    if opened_by:
        sights.append(visible_sources(opened_by, [turn.response for turn in shown]))
    left = responses_for([turn.response for turn in shown], lambda quote: all(shows(quote) for shows in sights))
    for turn, response in zip(shown, left, strict=True):
        turn.response = response
    return shown


def _given(feedback: Sequence[Feedback], response: Mapping[str, Any], shown: Mapping[str, Any]) -> list[dict[str, Any]]:
    claims = [claim_at(response, Target(given.citation, given.sentence)).get("text", "") for given in feedback]
    return [
        {"kind": given.kind, "citation": given.citation, "claim": claim}
        for given, claim in zip(feedback, claims, strict=True)
        if target_of(shown, given.citation, claim)
    ]
