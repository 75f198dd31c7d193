from django.conf import settings
from django.db import models

from lectorium.keys import KeyedModel


class Replay(KeyedModel):
    """A recorded question asked again over today's corpus, with what was changed; kept and deleted with its turn."""

    class State(models.TextChoices):
        RUNNING = "running", "Running"
        DONE = "done", "Done"
        FAILED = "failed", "Failed"

    conversation_id = models.UUIDField(db_index=True)
    audit = models.ForeignKey("audit.TurnAudit", on_delete=models.CASCADE, db_constraint=False, related_name="replays")
    mode = models.CharField(max_length=10)
    job = models.CharField(max_length=20, blank=True, help_text="The job that another model does; empty: none.")
    model = models.CharField(max_length=300, blank=True, help_text="The model of that job, in words.")
    row = models.UUIDField(null=True, help_text="Its row of the ladder.")
    verifier = models.CharField(max_length=300, blank=True, help_text="The verifier; empty: the one in use.")
    state = models.CharField(max_length=8, choices=State.choices, default=State.RUNNING)
    fault = models.CharField(max_length=300, blank=True)
    response = models.JSONField(default=dict, help_text="Redacted according to LECTORIUM_REDACT, like the trace.")
    trace = models.JSONField(default=dict)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, db_constraint=False, related_name="+"
    )
    asked_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-asked_at"]
        indexes = (models.Index(fields=["audit", "-asked_at"], name="replay_of_turn"),)

    def __str__(self) -> str:
        return f"{self.get_state_display()}, {self.mode}"
