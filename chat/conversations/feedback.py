"""Readers' feedback on their own turns, and only on what they may still see: checked here, stored by the audit."""

from uuid import UUID

from django import forms
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from audit.domain.feedback import Target, kinds_for, target_of
from audit.feedback import feedback_give, feedback_take_back, is_too_much
from audit.models import Feedback
from audit.pseudonyms import asker_of
from chat.answering.domain.viewer import Viewer
from chat.conversations.domain.masking import response_for
from chat.conversations.selectors import turn_of
from chat.conversations.visibility import visible_quotes
from chat.models import Conversation, Turn

NOTE_MAX = 1000  # characters
MOST_CITATIONS = 32_767
TOO_LONG = _("The note has %(show_value)d characters; please keep it to %(limit_value)d.")
NOT_NOW = _("This cannot be said of an answer that ended like this one, or has not ended.")
TOO_MUCH = _("You have sent much at once. Please go on in a minute.")


class TurnNotFound(LookupError):
    """No such turn or claim for this viewer. A missing one and another reader's look the same."""


class FeedbackRefused(ValueError):
    """Feedback that is not accepted: the text tells the reader why, `status` is the HTTP status."""

    def __init__(self, message: object, status: int) -> None:
        super().__init__(str(message))
        self.status = status


class FeedbackForm(forms.Form):
    """What the page sends. An empty kind withdraws the feedback; a claim is identified by its exact words."""

    turn = forms.UUIDField(
        error_messages={"required": _("Name the turn."), "invalid": _("The turn is not a known id.")}
    )
    kind = forms.ChoiceField(choices=[("", "Nothing"), *Feedback.Kind.choices], required=False)
    citation = forms.IntegerField(min_value=0, max_value=MOST_CITATIONS, initial=0)
    claim = forms.CharField(required=False, strip=False)
    note = forms.CharField(required=False, max_length=NOTE_MAX, error_messages={"max_length": TOO_LONG})


def feedback_accept(*, viewer: Viewer, turn: UUID, kind: str, citation: int, claim: str, note: str) -> None:
    """Store, change or, where `kind` is empty, withdraw a reader's feedback.

    Raises TurnNotFound, and FeedbackRefused where it does not fit the turn or the reader has sent too much.
    """
    own, target = _meant(viewer, turn, citation, claim)
    asker = asker_of(viewer.user_id, viewer.visitor)
    if kind and kind not in kinds_for(own.outcome, target):
        raise FeedbackRefused(NOT_NOW, 400)
    if kind and is_too_much(asker):
        raise FeedbackRefused(TOO_MUCH, 429)
    thread = own.conversation_id
    with transaction.atomic():
        Conversation.objects.select_for_update().filter(pk=thread).first()  # nobody forgets it meanwhile
        if not Turn.objects.filter(conversation_id=thread, pk=turn).exists():
            raise TurnNotFound(str(turn))
        if not kind:
            return feedback_take_back(conversation_id=thread, turn_id=turn, target=target)
        return feedback_give(
            conversation_id=thread,
            turn_id=turn,
            asker=asker,
            kind=kind,
            target=target,
            note=note,
            response=own.response,
        )


def _meant(viewer: Viewer, turn: UUID, citation: int, claim: str) -> tuple[Turn, Target]:
    """The viewer's own turn and the part of it that is meant, which they must see today. Raises TurnNotFound."""
    own = turn_of(turn, viewer)
    target = target_of(own.response, citation, claim) if own else None
    if own is None or target is None:
        raise TurnNotFound(str(turn))
    shown = response_for(own.response, visible_quotes(viewer, [own.response]))
    if target_of(shown, citation, claim) is None:
        raise TurnNotFound(str(turn))
    return own, target
