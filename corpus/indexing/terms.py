"""Word statistics of the corpus: how many chunks contain a word, for its weight in a question."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from django.contrib.postgres.search import TrigramWordSimilarity
from django.db import connection, transaction
from django.db.models.functions import Length

from corpus.models import Chunk, Term
from lectorium.ladder.read_once import read_once

EVERY_CHUNK = ""  # its row has the number of all chunks


def refresh_terms() -> int:
    """Recount every lexeme and return their number. Takes seconds for 100,000 chunks."""
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
    """How many chunks contain each word of a question, out of `total`."""

    total: int
    chunks: Mapping[str, int]

    def weight(self, word: str) -> float:
        """The word's inverse document frequency in nats; highest for a word in no chunk."""
        holding = self.chunks.get(word, 0)
        return math.log(1 + (self.total - holding + 0.5) / (holding + 0.5))


def resembling(word: str, most: int) -> list[tuple[str, float]]:
    """Up to `most` lexemes spelled like this folded word, with their similarity 0..1, closest first.

    Searches the few distinct words of the corpus, not its texts.
    """
    spelled = Term.objects.filter(lexeme__trigram_word_similar=word).exclude(lexeme=EVERY_CHUNK)
    likened = spelled.annotate(resemblance=TrigramWordSimilarity(word, "lexeme"))
    closest = likened.order_by("-resemblance", Length("lexeme"), "lexeme")
    return [(lexeme, float(how_much)) for lexeme, how_much in closest.values_list("lexeme", "resemblance")[:most]]


def chunks_with(lexemes: Collection[str]) -> dict[str, int]:
    """{lexeme: number of chunks that contain it}, without those in no chunk."""
    found = Term.objects.filter(lexeme__in=lexemes).exclude(lexeme=EVERY_CHUNK)
    return dict(found.values_list("lexeme", "chunks"))


@read_once
def _counted(wanted: frozenset[str]) -> Mapping[str, int]:
    return dict(Term.objects.filter(lexeme__in=wanted).values_list("lexeme", "chunks"))


def term_statistics(
    words: Iterable[str], alternatives: Mapping[str, Iterable[Sequence[str]]] = MappingProxyType({})
) -> TermStatistics:
    """Statistics of the question's lexemes and their alternatives."""
    others = (lexeme for listed in alternatives.values() for other in listed for lexeme in other)
    counts = dict(_counted(frozenset({*words, *others, EVERY_CHUNK})))
    return TermStatistics(total=counts.pop(EVERY_CHUNK, 1), chunks=counts)
