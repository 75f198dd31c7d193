"""Word statistics of the corpus: how many chunks hold a word, and so how much a word of a question weighs."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from django.contrib.postgres.search import TrigramWordSimilarity
from django.db import connection, transaction
from django.db.models.functions import Length

from corpus.models import Chunk, Term

EVERY_CHUNK = ""  # the empty lexeme's row counts all chunks, so that a question needs no count of its own


def refresh_terms() -> int:
    """Count every lexeme again; return how many there are. Seconds for 100,000 chunks, so once an index run."""
    vectors = f"SELECT search_vector FROM {Chunk._meta.db_table} WHERE retrievable"  # noqa: S608 - its name, as below
    terms = Term._meta.db_table
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {terms}")  # noqa: S608
        cursor.execute(
            f"INSERT INTO {terms} (lexeme, chunks) "  # noqa: S608
            "SELECT word, ndoc FROM ts_stat(%s) WHERE length(word) BETWEEN 1 AND 255",
            [vectors],
        )
        count = int(cursor.rowcount)
        Term.objects.create(lexeme=EVERY_CHUNK, chunks=Chunk.objects.filter(retrievable=True).count())
    return count


@dataclass(frozen=True, slots=True)
class TermStatistics:
    """How rare the words of a question are: the chunks that hold each, out of all chunks."""

    total: int
    chunks: Mapping[str, int]

    def weight(self, word: str) -> float:
        """Return the word's inverse document frequency, in nats; a word no chunk holds weighs the most."""
        holding = self.chunks.get(word, 0)
        return math.log(1 + (self.total - holding + 0.5) / (holding + 0.5))


def resembling(word: str, most: int) -> list[tuple[str, float]]:
    """Return up to `most` lexemes spelled much like this folded word, each with its resemblance 0..1, closest first.

    Looked for among the corpus's words, not in its texts: of those there are few, however many chunks hold them.
    """
    spelled = Term.objects.filter(lexeme__trigram_word_similar=word).exclude(lexeme=EVERY_CHUNK)
    likened = spelled.annotate(resemblance=TrigramWordSimilarity(word, "lexeme"))
    closest = likened.order_by("-resemblance", Length("lexeme"), "lexeme")
    return [(lexeme, float(how_much)) for lexeme, how_much in closest.values_list("lexeme", "resemblance")[:most]]


def term_statistics(
    words: Iterable[str], alternatives: Mapping[str, Iterable[Sequence[str]]] = MappingProxyType({})
) -> TermStatistics:
    """Look up the question's words and what else means them, as lexemes."""
    others = (lexeme for listed in alternatives.values() for other in listed for lexeme in other)
    wanted = {*words, *others, EVERY_CHUNK}
    counts = dict(Term.objects.filter(lexeme__in=wanted).values_list("lexeme", "chunks"))
    return TermStatistics(total=counts.pop(EVERY_CHUNK, 1), chunks=counts)
