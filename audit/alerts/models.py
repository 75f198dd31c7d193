from django.conf import settings
from django.db import models

from lectorium.keys import KeyedModel


class AlertMute(KeyedModel):
    """A rule that stays silent until a day, and why. What it would have raised is kept, and not sent."""

    rule = models.CharField(max_length=12)
    metric = models.CharField(max_length=40)
    reason = models.CharField(max_length=300)
    until = models.DateField(help_text="The last day (UTC) on which it is silent.")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.metric}, {self.rule}, until {self.until}"


class AlertDelivery(KeyedModel):
    """A notice of alerts or an event on its way over one channel, and how its tries went."""

    ALERT = "audit.alert"

    class Channel(models.TextChoices):
        MAIL = "mail", "Mail"
        WEBHOOK = "webhook", "Webhook"

    class State(models.TextChoices):
        DUE = "due", "On its way"
        DONE = "done", "Delivered"
        GIVEN_UP = "given_up", "Given up"

    channel = models.CharField(max_length=8, choices=Channel.choices)
    kind = models.CharField(max_length=20, default=ALERT, help_text="audit.alert, or the event.")
    to = models.JSONField(default=list, help_text="Addresses that have not got it yet, of a mail.")
    text = models.TextField()
    details = models.JSONField(default=dict, help_text="Of an event: ids and counts.")
    alerts = models.PositiveSmallIntegerField(default=1, help_text="How many alerts it tells of.")
    state = models.CharField(max_length=8, choices=State.choices, default=State.DUE)
    tries = models.PositiveSmallIntegerField(default=0)
    fault = models.CharField(max_length=300, blank=True)
    made_at = models.DateTimeField()
    due_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-made_at"]
        verbose_name_plural = "alert deliveries"
        indexes = (models.Index(fields=["state", "due_at"], name="alert_deliveries_due"),)

    def __str__(self) -> str:
        return f"{self.get_channel_display()}: {self.get_state_display()}"
