"""Transcripts that a model drafts from recordings. A reference table."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext

from lectorium.keys import KeyedModel

from .sources import Lecture


class Transcription(KeyedModel):
    """The transcript of a lecture's recording, from waiting for a model to its acceptance. Never searched or cited."""

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting for a transcript"
        TRANSCRIBING = "transcribing", "Being transcribed"
        REVIEW = "review", "To review"
        IMPORTED = "imported", "Imported"
        FAILED = "failed", "Failed"
        DISCARDED = "discarded", "Discarded"

    lecture = models.OneToOneField(Lecture, on_delete=models.CASCADE, related_name="transcription")
    state = models.CharField(max_length=12, choices=State.choices, default=State.WAITING, db_index=True)
    media = models.CharField(max_length=100, help_text="The recording that is transcribed.")
    pieces = models.JSONField(default=list, help_text="[[start_s, end_s], …]: the pieces that are sent.")
    heard = models.JSONField(default=list, help_text="[[[start_s, end_s, text], …], …]: captions of the pieces so far.")
    lines = models.JSONField(default=list, help_text="[[start_s, end_s, text], …]: the draft, as edited.")
    language = models.CharField(max_length=12, blank=True, help_text="The language that the model heard.")
    model = models.CharField(max_length=300, blank=True, help_text="PROVIDER:MODEL.")
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Failures in a row that may pass.")
    problem = models.TextField(blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, help_text="Who decided."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    touched_at = models.DateTimeField(default=timezone.now, help_text="When its state or progress last changed.")

    class Meta:
        ordering = ["-touched_at"]
        default_permissions = ()  # those of imports count

    def __str__(self) -> str:
        return gettext("Transcript of {lecture}").format(lecture=self.lecture)
