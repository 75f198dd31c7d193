"""Where lectures name verses."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from lectorium.keys import KeyedModel

from .sources import Section


class VerseMention(KeyedModel):
    """A verse, or a range of verses, that a paragraph of a lecture names. A reference table, read from the texts."""

    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="mentions")
    label = models.CharField(max_length=40, help_text="The book's, e.g. BG in BG 2.13.")
    first = ArrayField(models.PositiveIntegerField(), help_text="Its numbers, e.g. {2,13}.")
    last = ArrayField(models.PositiveIntegerField(), help_text="Equal to the first for a single verse.")

    class Meta:
        ordering = ["section", "first"]
        indexes = (models.Index(fields=["label", "first"], name="verse_mention"),)

    def __str__(self) -> str:
        return f"{self.label} {'.'.join(map(str, self.first))}"
