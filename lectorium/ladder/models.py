"""Rungs (which model does a job), edited prompts, budgets and daily usage. Small local tables."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from lectorium.keys import KeyedModel
from lectorium.ladder import prompts
from lectorium.ladder.jobs import BUILTIN, JOBS, NOT_USED, check_author
from lectorium.providers.errors import ModelMissing
from lectorium.providers.handwritten_bar import HandwrittenBar
from lectorium.providers.registry import check_chat_name

FALLBACK_PRICE = "Price of the fallback; empty: that of an enabled row for the model."


def job_choices() -> list[tuple[str, str]]:
    return [(job.name, f"{job.name}: {job.does}{'' if job.used else ' (' + NOT_USED + ')'}") for job in JOBS.values()]


def prompt_choices() -> list[tuple[str, str]]:
    return [(name, name) for name in prompts.shipped_names()]


class Rung(KeyedModel):
    """One model for one job, for a share of turns. The builtin does the remaining share."""

    job = models.CharField(max_length=20, choices=job_choices, db_index=True)
    model = models.CharField(max_length=300, default=BUILTIN, help_text="PROVIDER:MODEL, or builtin for none.")
    percent = models.PositiveSmallIntegerField(
        default=100,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
        help_text="Share of the turns, 1 to 100.",
    )
    enabled = models.BooleanField(default=True)
    fallback = models.CharField(
        max_length=300,
        blank=True,
        help_text="PROVIDER:MODEL when the model fails; empty: the job “fallback”, then builtin.",
    )
    temperature = models.FloatField(default=0.0, validators=[MinValueValidator(0.0), MaxValueValidator(2.0)])
    max_tokens = models.PositiveIntegerField(default=400, validators=[MinValueValidator(1), MaxValueValidator(32_768)])
    prompt_version = models.CharField(max_length=12, blank=True, help_text="Empty: the newest.")
    price_in = models.DecimalField(max_digits=10, decimal_places=4, default=0, help_text="Per million input tokens.")
    price_out = models.DecimalField(max_digits=10, decimal_places=4, default=0, help_text="Per million output tokens.")
    fallback_price_in = models.DecimalField(
        max_digits=10, decimal_places=4, null=True, blank=True, help_text=FALLBACK_PRICE
    )
    fallback_price_out = models.DecimalField(
        max_digits=10, decimal_places=4, null=True, blank=True, help_text=FALLBACK_PRICE
    )
    note = models.CharField(max_length=200, blank=True, help_text="Why this row, or this change.")
    version = models.PositiveIntegerField(default=0, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["job", "created_at"]

    def __str__(self) -> str:
        return f"{self.job} → {self.model}"

    def clean(self) -> None:
        """Reject an invalid model, a missing prompt version, and shares over 100 %."""
        for field in ("model", "fallback"):
            name = getattr(self, field)
            if name and name != BUILTIN:
                _checked(field, check_chat_name, name)
                _checked(field, check_author, self.job, name)
        if self.prompt_version:
            from lectorium.ladder.selectors import prompt

            _checked("prompt_version", prompt, self.job, self.prompt_version)
        others = Rung.objects.filter(job=self.job, enabled=True).exclude(pk=self.pk)
        total = self.percent + sum(others.values_list("percent", flat=True)) if self.enabled and self.percent else 0
        if total > 100:
            raise ValidationError(
                {"percent": f"The rows of {self.job} would add up to {total} %: lower another row first."}
            )


class RungVersion(KeyedModel):
    """A rung's values from one change on. Turns record the rung's id and version, which this row explains."""

    rung = models.ForeignKey(Rung, on_delete=models.PROTECT, related_name="versions")
    version = models.PositiveIntegerField()
    values = models.JSONField()
    changed_by = models.CharField(max_length=150)
    changed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-version"]
        constraints = (models.UniqueConstraint(fields=["rung", "version"], name="rung_version_once"),)

    def __str__(self) -> str:
        return f"{self.rung} v{self.version}"


class PromptText(KeyedModel):
    """A prompt that replaces the shipped file. Rows are only added; the newest of a name applies."""

    name = models.CharField(max_length=40, choices=prompt_choices, db_index=True)
    text = models.TextField(blank=True, help_text="Empty to restore the shipped prompt.")
    version = models.CharField(max_length=12, editable=False)
    note = models.CharField(max_length=200, blank=True)
    author = models.CharField(max_length=150, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.name} {self.version}"

    def clean(self) -> None:
        """Reject a text that is not a prompt or has other slots than the shipped one."""
        if self.text and self.name:
            _checked("text", prompts.check_replaces, self.name, self.text)


class Budget(KeyedModel):
    """The limit of a day, from 00:00 UTC, for one job or for all jobs together."""

    job = models.CharField(max_length=20, choices=job_choices, blank=True, unique=True, help_text="Empty: all jobs.")
    tokens_a_day = models.PositiveBigIntegerField(null=True, blank=True)
    cost_a_day = models.DecimalField(max_digits=12, decimal_places=4, null=True, blank=True)

    class Meta:
        ordering = ["job"]

    def __str__(self) -> str:
        return self.job or "all jobs"


class Usage(KeyedModel):
    """One model's usage for one job on one day."""

    day = models.DateField()
    job = models.CharField(max_length=20)
    model = models.CharField(max_length=300)
    calls = models.PositiveIntegerField(default=0)
    faults = models.PositiveIntegerField(default=0)
    estimated = models.PositiveIntegerField(default=0, help_text="Calls whose tokens the service did not count.")
    tokens_in = models.PositiveBigIntegerField(default=0)
    tokens_out = models.PositiveBigIntegerField(default=0)
    cost = models.DecimalField(max_digits=14, decimal_places=6, default=0)

    class Meta:
        ordering = ["-day", "job"]
        verbose_name_plural = "usage"
        constraints = (models.UniqueConstraint(fields=["day", "job", "model"], name="usage_once_a_day"),)

    def __str__(self) -> str:
        return f"{self.day} {self.job}"


class JudgeBar(KeyedModel):
    """A chat model's result on the hand-written bar, by prompt version."""

    model = models.CharField(max_length=300)
    prompt_version = models.CharField(max_length=12, help_text="Of the prompt “verify”.")
    verified_false_share = models.FloatField(help_text="Share of hand-written falsehoods judged as supported.")
    claim_set = models.CharField(max_length=12, help_text="Hash of the claims it was measured on.")
    measured_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["model", "-measured_at"]
        verbose_name = "hand-written bar of a judge"
        verbose_name_plural = "hand-written bars of judges"
        constraints = (models.UniqueConstraint(fields=["model", "prompt_version"], name="judge_bar_once"),)

    def __str__(self) -> str:
        return f"{self.model} {self.prompt_version}"

    @property
    def bar(self) -> HandwrittenBar:
        return HandwrittenBar(self.verified_false_share, self.claim_set)


def _checked(field: str, check: Any, *arguments: str) -> None:
    try:
        check(*arguments)
    except (ModelMissing, ValueError, LookupError) as error:
        raise ValidationError({field: str(error)}) from error
