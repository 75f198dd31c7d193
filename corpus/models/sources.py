"""Collections and their sources. Reference tables, copied to every server."""

from django.contrib.auth.models import Group
from django.core.files.storage import FileSystemStorage
from django.db import models
from django.db.models.functions import Upper

from corpus.querysets import CollectionQuerySet
from lectorium.keys import KeyedModel


class Collection(KeyedModel):
    """Sources with the same visibility."""

    class Visibility(models.TextChoices):
        PUBLIC = "public", "Everyone"
        MEMBERS = "members", "Signed-in readers"
        RESTRICTED = "restricted", "The groups named here"

    key = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=200)
    visibility = models.CharField(max_length=12, choices=Visibility.choices, default=Visibility.PUBLIC)
    groups = models.ManyToManyField(Group, blank=True, help_text="Only used for restricted visibility.")
    changed_at = models.DateTimeField(auto_now=True, help_text="When an import last changed its contents.")

    objects = CollectionQuerySet.as_manager()

    class Meta:
        ordering = ["title"]

    def __str__(self) -> str:
        return self.title


class Source(KeyedModel):
    """The common fields of lectures and works."""

    class State(models.TextChoices):
        PUBLISHED = "published", "Published"
        WITHDRAWN = "withdrawn", "Withdrawn"
        REPLACED = "replaced", "Replaced by a newer transcript"

    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="%(class)ss")
    key = models.CharField(max_length=200, help_text="Identifies the source in its collection across imports.")
    title = models.CharField(max_length=500)
    language = models.CharField(max_length=12, default="en")
    state = models.CharField(max_length=9, choices=State.choices, default=State.PUBLISHED)
    withdrawn_because = models.TextField(blank=True, help_text="Empty if an editor withdrew it.")
    found_at = models.TextField(blank=True, help_text="Path in a watched folder; empty for an upload.")
    source_hash = models.CharField(max_length=64, editable=False)
    imported_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True
        constraints = (models.UniqueConstraint(fields=["collection", "key"], name="%(class)s_key_in_collection"),)

    def __str__(self) -> str:
        return self.title


class Lecture(Source):
    """A talk: its clean text, its paragraphs as sections, and the times of its cues where known."""

    speaker = models.CharField(max_length=200, blank=True)
    date = models.DateField(null=True, blank=True)
    place = models.CharField(max_length=200, blank=True)
    series = models.CharField(max_length=200, blank=True)
    summary = models.TextField(blank=True, help_text="What it is about, in a few sentences.")
    text = models.TextField()
    cues = models.JSONField(default=list, help_text="[[char_start, char_end, start_s, end_s], …] in the text's order.")
    sounds = models.JSONField(default=list, help_text="[[start_s, end_s, label], …]: sounds other than speech.")
    media = models.FileField(upload_to="lectures/", blank=True)
    media_seconds = models.FloatField(null=True, blank=True, help_text="Length stated in its headers.")
    corrections = models.JSONField(
        default=dict, blank=True, help_text='{"title": ["as imported", "as corrected"], …}: kept by later imports.'
    )
    verses_read = models.CharField(
        max_length=32, blank=True, editable=False, help_text="Hash of the text and the books in which verses were read."
    )
    replaced_by = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="replaces")

    class Meta(Source.Meta):
        ordering = ["title"]
        indexes = (models.Index("collection", Upper("title"), name="lecture_title"),)

    @property
    def has_recording(self) -> bool:
        """Whether the recording exists. In a bucket, where checking takes a request, the row is trusted."""
        storage = self.media.storage
        return bool(self.media) and (not isinstance(storage, FileSystemStorage) or storage.exists(str(self.media)))

    @property
    def waits_for_transcript(self) -> bool:
        return bool(self.media) and not self.text


class Work(Source):
    """A book of addressed sections, such as verses."""

    abbreviation = models.CharField(max_length=20, blank=True, help_text="Prefix of its addresses, e.g. BG in BG 2.13.")
    translator = models.CharField(max_length=200, blank=True)
    books = models.JSONField(
        default=dict, blank=True, help_text='Verses by chapter: {"BG": {"2": 72, …}, "SB": {"1.2": 34, …}}.'
    )

    class Meta(Source.Meta):
        ordering = ["title"]


class Section(KeyedModel):
    """An addressed unit: a verse of a work or a paragraph of a lecture."""

    lecture = models.ForeignKey(
        Lecture, null=True, blank=True, on_delete=models.CASCADE, db_index=False, related_name="sections"
    )
    work = models.ForeignKey(
        Work, null=True, blank=True, on_delete=models.CASCADE, db_index=False, related_name="sections"
    )
    ordinal = models.PositiveIntegerField()
    address = models.CharField(max_length=200)
    address_key = models.CharField(max_length=200, db_index=True, help_text="The address folded for look-ups.")
    heading = models.CharField(max_length=500, blank=True)
    speaker = models.CharField(max_length=200, blank=True)
    text = models.TextField(help_text="The section as shown.")
    original = models.TextField(blank=True, help_text="The section in its original language.")
    char_start = models.PositiveIntegerField(default=0, help_text="Offset in the lecture's text.")
    char_end = models.PositiveIntegerField(default=0)
    start = models.FloatField(null=True, blank=True, help_text="Seconds into the recording.")
    end = models.FloatField(null=True, blank=True)
    source_text = models.TextField(blank=True, help_text="As imported, before cleaning; empty where nothing changed.")

    class Meta:
        ordering = ["lecture", "work", "ordinal"]
        constraints = (
            models.UniqueConstraint(fields=["lecture", "ordinal"], name="section_of_lecture"),
            models.UniqueConstraint(fields=["work", "ordinal"], name="section_of_work"),
            models.CheckConstraint(
                condition=models.Q(lecture__isnull=False) ^ models.Q(work__isnull=False), name="section_has_one_source"
            ),
        )

    def __str__(self) -> str:
        return self.address
