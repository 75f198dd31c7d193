from django.conf import settings
from django.db import models

from lectorium.keys import KeyedModel


class Translation(KeyedModel):
    """The translation of one text into one locale.

    The text is named by the id of its row (a pin, phrasing, note or lecture) and its field. Readers see it only while
    it is a translation of the source's present words (`source_hash`) and no check objects, or a person has reviewed it.
    """

    class Part(models.TextChoices):
        QUESTION = "question", "Pin: question"
        PHRASING = "phrasing", "Pin: phrasing"
        FRAMING = "framing", "Pin: framing"
        NOTE_TITLE = "note_title", "Note: title"
        NOTE_BODY = "note_body", "Note: body"
        LECTURE_TITLE = "lecture_title", "Lecture: title"
        LECTURE_SUMMARY = "lecture_summary", "Lecture: summary"

    class State(models.TextChoices):
        MISSING = "missing", "Missing"
        MACHINE = "machine", "Machine"
        REVIEWED = "reviewed", "Reviewed"
        STALE = "stale", "Source changed"

    class Origin(models.TextChoices):
        NOBODY = "", "–"
        MACHINE = "machine", "Machine"
        REVIEWED = "reviewed", "Reviewed"

    part = models.CharField(max_length=15, choices=Part.choices)
    owner = models.UUIDField(help_text="The row that has the text.")
    locale = models.CharField(max_length=12)
    language = models.CharField(max_length=12, help_text="Language of the source.")
    source = models.TextField(help_text="The source as it is now.")
    source_hash = models.CharField(max_length=64, editable=False)
    translated_source = models.TextField(blank=True, help_text="The source that `text` translates.")
    text = models.TextField(blank=True)
    proposal = models.TextField(blank=True, help_text="A model's translation of a source that changed after a review.")
    origin = models.CharField(max_length=8, choices=Origin.choices, blank=True, default=Origin.NOBODY)
    state = models.CharField(max_length=8, choices=State.choices, default=State.MISSING)
    checks = models.JSONField(default=list, blank=True, help_text="[[check, what it found], …] about the text shown.")
    problem = models.TextField(blank=True, help_text="Why there is no translation.")
    author = models.CharField(max_length=200, blank=True, help_text="The model and its prompt.")
    reviewed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    reviewed_at = models.DateTimeField(null=True, blank=True)
    is_published = models.BooleanField(default=True, help_text="Whether the source is published; others wait.")
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        app_label = "curation"
        ordering = ["locale", "part", "source"]
        constraints = (models.UniqueConstraint(fields=["owner", "part", "locale"], name="translation_of_text"),)
        indexes = (
            models.Index(fields=["state", "locale"], name="translation_state"),
            models.Index(fields=["source_hash"], name="translation_source"),
        )

    def __str__(self) -> str:
        return f"{self.source[:80]} ({self.locale})"
