"""Conversations, their turns, and the rows of each turn. Every row has a conversation_id, the key for sharding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils.translation import gettext

from lectorium.keys import KeyedModel

if TYPE_CHECKING:
    from chat.answering.domain.viewer import Viewer


class ConversationQuerySet(models.QuerySet["Conversation"]):
    def owned_by(self, viewer: Viewer) -> ConversationQuerySet:
        """The conversations of this account, or of this browser session without an account, except deleted ones."""
        return self._of(viewer).filter(deleted_at=None)

    def deleted_by(self, viewer: Viewer) -> ConversationQuerySet:
        """The conversations that this viewer has deleted and can still restore."""
        return self._of(viewer).exclude(deleted_at=None)

    def _of(self, viewer: Viewer) -> ConversationQuerySet:
        if viewer.user_id is not None:
            return self.filter(owner_id=viewer.user_id)
        return self.filter(owner=None, visitor=viewer.visitor) if viewer.visitor else self.none()


class Conversation(KeyedModel):
    """Owned by an account, or by a browser session for readers without an account."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, db_constraint=False, related_name="+"
    )
    visitor = models.CharField(max_length=64, blank=True, help_text="Hash of an anonymous reader's session key.")
    title = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    deleted_at = models.DateTimeField(null=True, blank=True, help_text="Can be undone until the hourly clean-up.")

    objects = ConversationQuerySet.as_manager()

    class Meta:
        ordering = ["-updated_at"]
        indexes = (
            models.Index(fields=["owner", "-updated_at"], name="conversation_owner"),
            models.Index(fields=["visitor", "-updated_at"], name="conversation_visitor"),
        )

    def __str__(self) -> str:
        return self.title or gettext("New conversation")


class Turn(KeyedModel):
    """A question and its answer. `outcome` is empty while the turn is running."""

    class Outcome(models.TextChoices):
        GROUNDED = "grounded", "Grounded"
        PARTIALLY_GROUNDED = "partially_grounded", "Partly grounded"
        OUT_OF_CORPUS = "out_of_corpus", "Outside the corpus"
        CLOSEST_PASSAGE = "closest_passage", "Closest passage"
        REFUSED = "refused", "Refused"
        NO_RETRIEVAL = "no_retrieval", "No retrieval"
        ASKED_BACK = "asked_back", "Asked back"
        INTERRUPTED = "interrupted", "Interrupted"
        FAILED = "failed", "Failed"

    class Mode(models.TextChoices):
        INSTANT = "instant", "Instant"
        AUTO = "auto", "Auto"
        THINKING = "thinking", "Thinking"

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, db_constraint=False, related_name="turns")
    question = models.TextField()
    standalone_question = models.TextField(blank=True)
    mode = models.CharField(max_length=10, choices=Mode.choices, default=Mode.AUTO)
    locale = models.CharField(max_length=12, default="en")
    outcome = models.CharField(max_length=20, choices=Outcome.choices, blank=True, db_index=True)
    reason = models.CharField(max_length=40, blank=True)
    answer = models.TextField(blank=True, help_text="Markdown with [1] [2].")
    response = models.JSONField(default=dict, help_text="The complete response, the same for all interfaces.")
    suggestions = models.JSONField(default=list, blank=True, help_text="Questions offered to ask next.")
    started_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["started_at"]
        indexes = (models.Index(fields=["conversation", "started_at"], name="turn_conversation"),)

    def __str__(self) -> str:
        return self.question[:80]


class SharedLink(KeyedModel):
    """A public link to a conversation, as it was when the link was made. Revoking deletes the row."""

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, db_constraint=False, related_name="+")
    token_hash = models.CharField(max_length=64, db_index=True, help_text="Hash of the token, which is not stored.")
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["-made_at"]
        constraints = (models.UniqueConstraint(fields=["conversation"], name="one_link_a_conversation"),)

    def __str__(self) -> str:
        return f"Link of {self.made_at:%Y-%m-%d %H:%M}"


class TurnEvent(KeyedModel):
    """An event sent over the socket, kept for an hour so that a dropped connection can resume."""

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, db_constraint=False, related_name="+")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, db_constraint=False, related_name="events")
    seq = models.PositiveIntegerField()
    payload = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        ordering = ["seq"]
        constraints = (models.UniqueConstraint(fields=["conversation", "turn", "seq"], name="event_once_a_turn"),)

    def __str__(self) -> str:
        return f"{self.seq} {self.payload.get('type', '')}"


class Citation(KeyedModel):
    """A quote shown with an answer. Its hash and span stay valid when the chunk is imported again."""

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, db_constraint=False, related_name="+")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, db_constraint=False, related_name="citations")
    n = models.PositiveSmallIntegerField()
    chunk_id = models.UUIDField(null=True)
    chunk_hash = models.CharField(max_length=64)
    kind = models.CharField(max_length=8)
    address = models.CharField(max_length=200)
    title = models.CharField(max_length=500)
    quote = models.TextField()
    char_start = models.PositiveIntegerField(help_text="Where the quote begins in the chunk.")
    char_end = models.PositiveIntegerField()
    start = models.FloatField(null=True)
    end = models.FloatField(null=True)
    verdict = models.CharField(max_length=12)

    class Meta:
        ordering = ["n"]
        constraints = (
            models.UniqueConstraint(fields=["conversation", "turn", "n"], name="citation_number_once_a_turn"),
        )

    def __str__(self) -> str:
        return f"[{self.n}] {self.address}"
