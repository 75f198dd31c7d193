"""How many chunks hold each word: what makes a rare word count for more than a common one."""

from django.contrib.postgres.indexes import GinIndex
from django.db import models


class Term(models.Model):
    """A lexeme of the search vectors and the number of chunks that hold it. Rebuilt whole; a reference table."""

    lexeme = models.CharField(primary_key=True, max_length=255)
    chunks = models.PositiveIntegerField()

    class Meta:
        indexes = (GinIndex(fields=["lexeme"], opclasses=["gin_trgm_ops"], name="term_trigram"),)

    def __str__(self) -> str:
        return f"{self.lexeme} ({self.chunks})"
