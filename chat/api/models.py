"""The tokens by which a reader's own programs are known, what assistants did with them, and idempotency keys."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from lectorium.keys import KeyedModel


class Token(KeyedModel):
    """A secret that acts as its owner until it is revoked. Only its hash is stored."""

    class Access(models.TextChoices):
        READ = "read", "Read: ask and search"
        DRAFT = "draft", "Draft: read, and write drafts of pins and notes"
        PUBLISH = "publish", "Publish: draft, and publish what the owner may publish"

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=80, help_text="What it is for, so that you know later which one to revoke.")
    access = models.CharField(
        max_length=8, choices=Access.choices, default=Access.READ, help_text="Never more than its owner may do."
    )
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField("created", auto_now_add=True)
    last_used_at = models.DateTimeField("last used", null=True, editable=False, help_text="To the minute.")
    revoked_at = models.DateTimeField("revoked", null=True, editable=False)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.name


class ToolCall(KeyedModel):
    """One call of a tool by an assistant: who, what, and how it ended (docs/seeding.md).

    arguments: cut to a bound; a reader's question is only counted, because questions are private.
    """

    class Outcome(models.TextChoices):
        DONE = "done", "Done"
        REFUSED = "refused", "Refused"
        FAILED = "failed", "Failed"
        STOPPED = "stopped", "Stopped by the client"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    token = models.ForeignKey(Token, null=True, on_delete=models.SET_NULL, related_name="+")
    transport = models.CharField(max_length=5, help_text="http, or stdio: started on the server.")
    tool = models.CharField(max_length=64)
    arguments = models.JSONField(default=dict)
    outcome = models.CharField(max_length=8, choices=Outcome.choices)
    message = models.CharField(max_length=300, blank=True, help_text="The sentence that the assistant was told.")
    milliseconds = models.PositiveIntegerField()
    created_at = models.DateTimeField("called", auto_now_add=True, db_index=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.tool}: {self.outcome}"


class IdempotencyKey(KeyedModel):
    """A key that a program sent with a question, and the turn that the question began; kept for a day."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, help_text="Keyed hash of the key.")
    body = models.CharField(max_length=64, help_text="Keyed hash of what was asked.")
    turn_id = models.UUIDField(null=True)
    created_at = models.DateTimeField(db_default=Now(), db_index=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["owner", "digest"], name="one_turn_a_key"),)

    def __str__(self) -> str:
        return self.digest[:8]
