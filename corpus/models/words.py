"""Words that editors maintain: names of books, and glossary terms. Reference tables."""

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext

from corpus.domain.addresses.address import Scheme
from corpus.domain.addresses.book_names import spellings
from corpus.domain.text.folding import fold
from lectorium.keys import KeyedModel


def lines_of(text: str) -> list[str]:
    """The stripped, non-empty lines."""
    return [line.strip() for line in text.splitlines() if line.strip()]


class AddressScheme(KeyedModel):
    """How a book's passages are numbered, and its names. Changes apply from the next question on."""

    SEPARATORS = ((".", "2.13"), (":", "2:13"))

    label = models.CharField(max_length=40, unique=True, help_text="Prefix of its addresses, e.g. BG in BG 2.13.")
    title = models.CharField(max_length=200, help_text="Full name, e.g. Bhagavad-gītā.")
    aliases = models.TextField(
        blank=True, help_text="Other names, one per line; capitals and diacritics do not matter."
    )
    levels = models.CharField(
        max_length=100, default="chapter, verse", help_text="Names of its numbers, outermost first."
    )
    separator = models.CharField(max_length=1, choices=SEPARATORS, default=".")
    position = models.PositiveSmallIntegerField(default=0, help_text="Order in lists.")
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
        """Every folded name of the book."""
        return frozenset(map(fold, spellings([self.label, self.title, *lines_of(self.aliases)])))

    def clean(self) -> None:
        """Raise ValidationError where the levels are invalid or a name belongs to another book."""
        if not 2 <= len(self.level_names) <= 4 or not all(name.isalpha() for name in self.level_names):
            raise ValidationError(
                {"levels": gettext("Give two to four single words, separated by commas: canto, chapter, verse.")}
            )
        for other in AddressScheme.objects.exclude(pk=self.pk):
            if shared := sorted(self.names & other.names):
                said = gettext("“{name}” is already a name of {other}; remove it from one of them.")
                raise ValidationError({"aliases": said.format(name=shared[0], other=other.title)})


class GlossaryEntry(KeyedModel):
    """Terms with the same meaning: a question about one also searches for the others."""

    term = models.CharField(max_length=100)
    synonyms = models.TextField(help_text="One per line; capitals and diacritics do not matter.")
    language = models.CharField(max_length=12, default="en", help_text="Language of the questions it applies to.")
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
