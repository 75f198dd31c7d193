"""Where lectures name verses."""

from django.db import models

from lectorium.keys import KeyedModel

from .sources import Section


class VerseMention(KeyedModel):
    """A verse that a paragraph of a lecture names, alone or in a range. A reference table, read from the texts."""

    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="mentions")
    address_key = models.CharField(max_length=200, db_index=True, help_text="Of the verse, folded for look-ups.")

    class Meta:
        ordering = ["section", "address_key"]

    def __str__(self) -> str:
        return self.address_key
