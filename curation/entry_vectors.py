"""The stored vectors of what entries are matched on."""

from django.db import models

from corpus.models import EmbeddingSpace
from lectorium.keys import KeyedModel


class EntryVectors(KeyedModel):
    """All vectors of one entry in one space, in one row, so that they are replaced together or not at all.

    They are used only while `fingerprint` is that of the entry's current texts, so an entry is never matched on words
    that it no longer has.
    """

    entry = models.UUIDField(help_text="Of a pin or a note.")
    space = models.ForeignKey(EmbeddingSpace, on_delete=models.CASCADE, db_constraint=False, related_name="+")
    fingerprint = models.CharField(max_length=64)
    vectors = models.BinaryField(help_text="16-bit floats, a row for each phrasing.")
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["entry", "space"], name="one_row_an_entry_and_space"),)

    def __str__(self) -> str:
        return f"{self.entry} in {self.space_id}"
