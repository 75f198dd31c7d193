"""What the guards on stored content counted, and the alerts that were raised."""

from django.conf import settings
from django.db import models

from lectorium.keys import KeyedModel


class GuardMetric(KeyedModel):
    """What one run counted for one metric of audit/domain/guards.py."""

    metric = models.CharField(max_length=40)
    at = models.DateTimeField()
    hits = models.FloatField()
    total = models.FloatField(help_text="Items checked.")

    class Meta:
        ordering = ["-at"]
        indexes = (models.Index(fields=["metric", "at"], name="guard_metric_time"),)

    def __str__(self) -> str:
        return f"{self.metric}: {self.hits:g} of {self.total:g}"


class GuardAlert(KeyedModel):
    """An alert that was raised. The unique constraint keeps it from being raised twice."""

    rule = models.CharField(max_length=12)
    metric = models.CharField(max_length=40)
    period = models.DateField(help_text="The Monday of its week, or the day of its run.")
    text = models.TextField()
    raised_at = models.DateTimeField(auto_now_add=True)
    muted = models.BooleanField(default=False, help_text="Its rule was muted, so nobody was told.")
    acknowledged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    acknowledged_at = models.DateTimeField(null=True)
    note = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["-raised_at"]
        constraints = (models.UniqueConstraint(fields=["rule", "metric", "period"], name="guard_alert_once"),)

    def __str__(self) -> str:
        return self.text
