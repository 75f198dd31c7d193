"""Counts of turns by day, kept so that a report over a million turns reads thousands of rows."""

from django.db import models

from lectorium.keys import KeyedModel


class ChangedDay(KeyedModel):
    """A day (UTC) whose counts are out of date. Each change adds a row, so that none is lost while days are counted."""

    day = models.DateField()

    class Meta:
        ordering = ["day"]

    def __str__(self) -> str:
        return str(self.day)


class TurnCount(KeyedModel):
    """How often something happened in the turns of a day. dimension "": of all turns, else of those with its value."""

    day = models.DateField()
    mode = models.CharField(max_length=10)
    dimension = models.CharField(max_length=12, blank=True)
    value = models.CharField(max_length=200, blank=True)
    kind = models.CharField(max_length=20)
    name = models.CharField(max_length=200, blank=True)
    number = models.FloatField()

    class Meta:
        ordering = ["day"]
        constraints = (
            models.UniqueConstraint(
                fields=["dimension", "kind", "day", "mode", "value", "name"], name="turn_count_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.day} {self.kind} {self.name}: {self.number:g}"


class TroubledTurn(KeyedModel):
    """A turn to look at, of the worst and of the latest of its day and mode."""

    day = models.DateField()
    mode = models.CharField(max_length=10)
    audit = models.ForeignKey("audit.TurnAudit", on_delete=models.CASCADE, db_constraint=False, related_name="+")
    at = models.DateTimeField()
    is_caught = models.BooleanField(help_text="The checks caught a sentence, or one was shown without support.")
    unhelpful = models.PositiveSmallIntegerField(help_text="Complaints of its reader.")
    disagreed = models.PositiveSmallIntegerField(help_text="Reviewers who disagree.")
    score = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["-score", "-at"]
        indexes = (models.Index(fields=["day", "mode"], name="troubled_turns_by_day"),)

    def __str__(self) -> str:
        return f"{self.day}, score {self.score}"


class CitationClicks(KeyedModel):
    """How often readers opened citations of a lecture or work on a day (UTC). Says nothing about who did."""

    day = models.DateField()
    source = models.CharField(max_length=200)
    clicks = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-day"]
        verbose_name_plural = "citation clicks"
        constraints = (models.UniqueConstraint(fields=["day", "source"], name="clicks_once_a_source"),)

    def __str__(self) -> str:
        return f"{self.day} {self.source}: {self.clicks}"
