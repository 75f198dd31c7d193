"""How many chunks contain each word, so that rare words weigh more."""

from django.contrib.postgres.indexes import GinIndex
from django.db import models


class Term(models.Model):
    """A lexeme of the search vectors and its number of chunks. Rebuilt as a whole; a reference table."""

    lexeme = models.CharField(primary_key=True, max_length=255)
    chunks = models.PositiveIntegerField()

    class Meta:
        indexes = (GinIndex(fields=["lexeme"], opclasses=["gin_trgm_ops"], name="term_trigram"),)

    def __str__(self) -> str:
        return f"{self.lexeme} ({self.chunks})"
