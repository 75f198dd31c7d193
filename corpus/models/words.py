"""What editors know about words: how books are addressed, and which terms mean the same. Reference tables."""

from django.core.exceptions import ValidationError
from django.db import models

from corpus.domain.addresses.address import Scheme
from corpus.domain.addresses.book_names import spellings
from corpus.domain.text.folding import fold
from lectorium.keys import KeyedModel


def lines_of(text: str) -> list[str]:
    """Return the lines that say something."""
    return [line.strip() for line in text.splitlines() if line.strip()]


class AddressScheme(KeyedModel):
    """How one book's passages are numbered, and what readers call it. A change counts from the next question on."""

    SEPARATORS = ((".", "2.13"), (":", "2:13"))

    label = models.CharField(max_length=40, unique=True, help_text="Leads its addresses, e.g. BG in BG 2.13.")
    title = models.CharField(max_length=200, help_text="Its name in words, e.g. Bhagavad-gītā.")
    aliases = models.TextField(
        blank=True, help_text="Its other names, one a line; capitals and diacritics do not matter."
    )
    levels = models.CharField(
        max_length=100, default="chapter, verse", help_text="What its numbers count, outermost first."
    )
    separator = models.CharField(max_length=1, choices=SEPARATORS, default=".")
    position = models.PositiveSmallIntegerField(default=0, help_text="Its place on the shelf.")
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["position", "label"]

    def __str__(self) -> str:
        return self.scheme.address(*range(1, len(self.level_names) + 1))

    @property
    def level_names(self) -> tuple[str, ...]:
        return tuple(name.strip().lower() for name in self.levels.split(",") if name.strip())

    @property
    def scheme(self) -> Scheme:
        return Scheme(self.label, self.separator, self.level_names, self.title, self.position)

    @property
    def names(self) -> frozenset[str]:
        """Return every name it goes by, folded."""
        return frozenset(map(fold, spellings([self.label, self.title, *lines_of(self.aliases)])))

    def clean(self) -> None:
        """Raise ValidationError where the levels cannot be read or a name leads to another book already."""
        if not 2 <= len(self.level_names) <= 4 or not all(name.isalpha() for name in self.level_names):
            raise ValidationError({"levels": "Give two to four single words, parted by commas: canto, chapter, verse."})
        for other in AddressScheme.objects.exclude(pk=self.pk):
            if shared := sorted(self.names & other.names):
                raise ValidationError({"aliases": f"{shared[0]!r} already leads to {other.title}; remove it in one."})


class GlossaryEntry(KeyedModel):
    """Terms that mean the same: a question about one also looks for the others."""

    term = models.CharField(max_length=100)
    synonyms = models.TextField(help_text="One a line; capitals and diacritics do not matter.")
    language = models.CharField(max_length=12, default="en", help_text="Of the questions it is for.")
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["term"]
        verbose_name_plural = "glossary"
        constraints = (models.UniqueConstraint(fields=["term", "language"], name="glossary_term_in_language"),)

    def __str__(self) -> str:
        return f"{self.term}: {', '.join(lines_of(self.synonyms))}"

    @property
    def terms(self) -> tuple[str, ...]:
        return self.term, *lines_of(self.synonyms)
