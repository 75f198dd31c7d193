"""Facts, and contradictions between two of them."""

from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest, Least
from django.utils.translation import gettext_lazy as _

from corpus.domain.addresses.address import address_key
from lectorium.keys import KeyedModel


class Fact(KeyedModel):
    """What a source says about a subject, with its words as evidence.

    A fact is in force while nothing supersedes it and its evidence is found literally at its address. When the source
    changes, the fact is ignored, not deleted.
    """

    class Kind(models.TextChoices):
        FACT = "fact", "Fact"
        EVENT = "event", "Event"
        OPINION = "opinion", "Opinion"

    class Grounding(models.TextChoices):
        EDITOR = "", "By an editor"
        SUPPORTED = "supported", "Supported"
        PARTIAL = "partial", "Rewritten to its source's words"
        UNVERIFIED = "unverified", "Not verified"
        QUEUED = "queued", "Waiting for a verifier"

    class Because(models.TextChoices):
        NOTHING = "", "–"
        REPLACED = "replaced", "Replaced"
        EQUIVALENT = "equivalent", "Says the same"

    subject = models.CharField(max_length=200, db_index=True, help_text="The person or thing it is about.")
    predicate = models.CharField(max_length=200, help_text="What it says about the subject, e.g. “was born in”.")
    object = models.CharField(max_length=500, help_text="E.g. “1863”.")
    content = models.TextField(help_text="The fact in one plain sentence.")
    address = models.CharField(max_length=200, help_text="Address of the source, e.g. BG 2.13 or first-steps:4.")
    address_key = models.CharField(max_length=200, db_index=True, editable=False)
    evidence = models.TextField(help_text="The words of the source that say so, copied exactly.")
    valid_from = models.DateField(null=True, blank=True)
    valid_to = models.DateField(null=True, blank=True)
    kind = models.CharField(max_length=7, choices=Kind.choices, default=Kind.FACT)
    holder = models.CharField(max_length=200, blank=True, help_text="Of an opinion: whose it is.")
    author = models.CharField(
        max_length=200, blank=True, help_text="“rules” or the model that read it; empty: an editor."
    )
    grounding = models.CharField(max_length=10, choices=Grounding.choices, blank=True, default=Grounding.EDITOR)
    compared_at = models.DateTimeField(null=True, editable=False, help_text="When the consistency scan compared it.")
    confidence = models.FloatField(
        default=1.0, validators=[MinValueValidator(0.0), MaxValueValidator(1.0)], help_text="0 to 1."
    )
    superseded_by = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="supersedes",
        help_text="The fact that replaces it; empty while this one is in force.",
    )  # fmt: skip
    superseded_because = models.CharField(max_length=10, choices=Because.choices, blank=True, default=Because.NOTHING)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        app_label = "curation"
        ordering = ["-confidence", "id"]
        indexes = (
            models.Index(fields=["id"], condition=Q(compared_at=None, superseded_by=None), name="fact_to_compare"),
        )
        constraints = (
            models.CheckConstraint(
                condition=Q(confidence__range=(0.0, 1.0)),
                name="fact_confidence",
                violation_error_message=_("Confidence is from 0 to 1."),
            ),
            models.CheckConstraint(
                condition=Q(valid_from__isnull=True) | Q(valid_to__isnull=True) | Q(valid_to__gte=F("valid_from")),
                name="fact_ends_after_it_begins",
                violation_error_message=_("“Valid to” is earlier than “valid from”."),
            ),
            models.CheckConstraint(
                condition=Q(superseded_by__isnull=True) | ~Q(superseded_by=F("id")),
                name="fact_superseded_by_another",
                violation_error_message=_("A fact cannot supersede itself."),
            ),
        )

    def __str__(self) -> str:
        return self.content

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.address_key = address_key(self.address)
        super().save(*args, **kwargs)


class Contradiction(KeyedModel):
    """Two facts that seem to exclude each other. While it is open, an answer with one side also shows the other."""

    class Decision(models.TextChoices):
        OPEN = "", "Open"
        FIRST = "first", "The first is authoritative"
        SECOND = "second", "The second is authoritative"
        IN_CONTEXT = "in_context", "Both hold, in context"

    one = models.ForeignKey(Fact, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(Fact, on_delete=models.CASCADE, related_name="+")
    note = models.TextField(blank=True, help_text="What they disagree on, in a sentence shown to readers.")
    context = models.TextField(blank=True, help_text="For other editors: in which context each side holds.")
    decision = models.CharField(max_length=10, choices=Decision.choices, blank=True, editable=False)
    resolved_at = models.DateTimeField(null=True, blank=True, editable=False)
    resolved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+", editable=False
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        app_label = "curation"
        ordering = ["-created_at"]
        constraints = (
            models.UniqueConstraint(
                Least("one", "other"),
                Greatest("one", "other"),
                name="contradiction_once_a_pair",
                violation_error_message=_("These two facts are linked already."),
            ),
            models.CheckConstraint(
                condition=~Q(one=F("other")),
                name="contradiction_of_two",
                violation_error_message=_("A fact does not contradict itself: choose two."),
            ),
        )

    def __str__(self) -> str:
        return f"{self.one} / {self.other}"
