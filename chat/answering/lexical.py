"""The lexical lane: searches the words of the question and their synonyms, and similar spellings of unknown words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from types import MappingProxyType
from typing import Any
from uuid import UUID

from django.contrib.postgres.search import SearchQuery
from django.db import connections, router
from django.db.models import Case, FloatField, QuerySet, Value, When

from chat.answering.domain.evidence.coverage import alternative_weight
from chat.answering.domain.evidence.pool import Hit
from chat.answering.domain.viewer import Viewer
from corpus.indexing.terms import TermStatistics, resembling, term_statistics
from corpus.models import Chunk
from corpus.querysets import ChunkQuerySet

LEXICAL_HITS = 60
# A more frequent word matches too many chunks to rank. It still adds to the score of chunks that a rarer word matches.
COMMON_WORD_CHUNKS = 4000
# In a wording without a rarer word the rarest is searched, up to so many chunks: a commoner one tells chunks apart too
# little to be worth ranking all that hold it.
RAREST_WORD_CHUNKS = 10_000
# The rarest words of a wording are searched: each is matched within the chunks of all, so n words take n² steps.
SEARCHED_WORDS = 20
SPELLING_HITS = 10
SPELLINGS = 5  # corpus words tried for an unknown word
UNKNOWN_WORDS = 8  # in all wordings together, so that text in another language is not looked up word by word
LONGEST_UNKNOWN = 60  # letters
ALL_LABELS = ""

# The shares are computed once, and only chunks that can come among the hits by their share are ranked, because ranking
# unpacks a chunk's whole vector.
_BEST_CHUNKS = """
    (SELECT %s, share, ts_rank(chunk.search_vector, to_tsquery('simple', %s), 1) AS rank, chunk.id
    FROM {shares} JOIN {chunks} AS chunk USING (id)
    WHERE share >= coalesce((SELECT share FROM {shares} ORDER BY share DESC OFFSET %s LIMIT 1), 0)
    ORDER BY share DESC, rank DESC, id LIMIT %s)"""

Form = tuple[str, ...]  # lexemes that together are a word or a synonym of it


def lexical_lane(
    wordings: Sequence[Sequence[str]],
    viewer: Viewer,
    alternatives: Mapping[str, Sequence[Sequence[str]]] = MappingProxyType({}),
    labels: str = ALL_LABELS,
) -> list[Hit]:
    """The chunks with most words of each wording; `value` is their share of its weight, 0..1. Rare words weigh more.

    A synonym counts as the word. A word that no chunk has, in any form, is searched by similar spellings instead (lane
    "spelling", `value` is the resemblance, 0..1). All wordings are searched in one statement, repeated wordings once.
    labels: parts of the search vector to search: A title, B address, C text, D context.
    """
    first_places: dict[tuple[str, ...], int] = {}
    for place, wording in enumerate(wordings):
        first_places.setdefault(tuple(wording), place)
    searched = list(first_places)
    terms = term_statistics(chain.from_iterable(searched), alternatives)
    forms = {word: _forms(word, alternatives, terms) for word in dict.fromkeys(chain.from_iterable(searched))}
    unknown = [word for word, known in forms.items() if not known and len(word) <= LONGEST_UNKNOWN][:UNKNOWN_WORDS]
    spelled = {word: _spelling_hits(word, viewer, labels) for word in unknown}
    found = _ranked_chunks(searched, forms, viewer, terms, labels)
    hits = []
    for (words, place), chunks in zip(first_places.items(), found, strict=True):
        total = sum(map(terms.weight, words))
        hits += [replace(hit, wording=place) for word in words for hit in spelled.get(word, ())]
        hits += [Hit(pk, "lexical", rank, share / total, place) for rank, (pk, share) in enumerate(chunks, 1)]
    return hits


def _ranked_chunks(
    searched: Sequence[Sequence[str]],
    forms: Mapping[str, Sequence[Form]],
    viewer: Viewer,
    terms: TermStatistics,
    labels: str,
) -> list[list[tuple[UUID, float]]]:
    """For each wording, its chunks with the weight of the words they match, best first."""
    shares, looks = list[str](), list[str]()
    for_shares, for_looks = list[Any](), list[Any]()
    for place, words in enumerate(searched):
        known = sorted((word for word in words if forms[word]), key=terms.weight, reverse=True)[:SEARCHED_WORDS]
        matching = _matching_chunks({word: forms[word] for word in known}, viewer, terms, labels)
        if matching is not None:
            sql, parameters = matching.order_by().values("pk", "share").query.sql_with_params()
            shares.append(f"shares_{place} (id, share) AS MATERIALIZED ({sql})")
            for_shares += parameters
            looks.append(_BEST_CHUNKS.format(shares=f"shares_{place}", chunks=Chunk._meta.db_table))
            every = [form for word in known for form in forms[word]]
            for_looks += [place, _written(every, labels), LEXICAL_HITS - 1, LEXICAL_HITS]
    found: list[list[tuple[UUID, float]]] = [[] for _ in searched]
    if looks:
        with connections[router.db_for_read(Chunk)].cursor() as cursor:
            statement = f"WITH {', '.join(shares)} {' UNION ALL '.join(looks)}"
            cursor.execute(statement, [*for_shares, *for_looks])
            for place, share, _, pk in sorted(cursor.fetchall(), key=lambda row: (-row[1], -row[2], row[3])):
                found[place].append((pk, float(share)))
    return found


def _matching_chunks(
    known: Mapping[str, Sequence[Form]], viewer: Viewer, terms: TermStatistics, labels: str
) -> QuerySet[Any] | None:
    """The chunks with at least one of the words, with their `share`."""
    every = [form for forms in known.values() for form in forms]
    searched = _forms_to_search(known, every, terms)
    if not searched:
        return None
    holding = Chunk.objects.filter(search_vector=_any_form(searched, labels))
    share = sum((_best_weight(word, forms, terms, holding, labels) for word, forms in known.items()), start=_zero())
    return holding.within(viewer.scope).annotate(share=share)


def _spelling_hits(word: str, viewer: Viewer, labels: str) -> list[Hit]:
    found: dict[UUID, float] = {}
    for lexeme, resemblance in resembling(word, SPELLINGS):
        holding = Chunk.objects.within(viewer.scope).filter(search_vector=_any_form([(lexeme,)], labels))
        # Sorted here: asked for the first by id, the database walks through all chunks to find those of a rare word.
        some = holding.order_by().values_list("pk", flat=True)[:COMMON_WORD_CHUNKS]
        for chunk_id in sorted(some)[:SPELLING_HITS]:
            found.setdefault(chunk_id, resemblance)
        if len(found) >= SPELLING_HITS:
            break
    closest = list(found.items())[:SPELLING_HITS]
    return [Hit(chunk_id, "spelling", rank, value) for rank, (chunk_id, value) in enumerate(closest, 1)]


def _forms(word: str, alternatives: Mapping[str, Sequence[Sequence[str]]], terms: TermStatistics) -> list[Form]:
    """The word and its synonyms that occur in the corpus, the word first."""
    forms = [(word,), *map(tuple, alternatives.get(word, ()))]
    return [form for form in forms if all(lexeme in terms.chunks for lexeme in form)]


def _best_weight(word: str, forms: Sequence[Form], terms: TermStatistics, holding: ChunkQuerySet, labels: str) -> Any:
    """The weight a chunk of `holding` earns for its best form of the word.

    Uses the index to find matching chunks; testing the vector of each chunk would decompress it once per word.
    """
    weights = sorted(((alternative_weight(word, form, terms.weight), form) for form in forms), reverse=True)
    cases = (
        When(pk__in=holding.filter(search_vector=_any_form([form], labels)).values("pk"), then=Value(weight))
        for weight, form in weights
    )
    return Case(*cases, default=0.0, output_field=FloatField())


def _zero() -> Any:
    return Value(0.0, output_field=FloatField())


def _forms_to_search(words: Iterable[str], forms: Sequence[Form], terms: TermStatistics) -> list[Form]:
    """The forms rare enough to search by, and the rarest word of the question if all its words are rather common."""

    def chunk_count(form: Form) -> int:
        return min(terms.chunks[lexeme] for lexeme in form)

    rare = [form for form in forms if chunk_count(form) <= COMMON_WORD_CHUNKS]
    rarest = min(((word,) for word in words if word in terms.chunks), key=chunk_count, default=None)
    if rarest is None or rarest in rare or chunk_count(rarest) > RAREST_WORD_CHUNKS:
        return rare
    return [*rare, rarest]


def _any_form(forms: Sequence[Form], labels: str) -> SearchQuery:
    return SearchQuery(_written(forms, labels), search_type="raw", config="simple")


def _written(forms: Sequence[Form], labels: str) -> str:
    """The text of a tsquery that matches any of the forms."""
    only = f":{labels}" if labels else ""
    terms = (" & ".join(_quoted(lexeme) + only for lexeme in form) for form in forms)
    return " | ".join(f"({term})" for term in terms)


def _quoted(word: str) -> str:
    return "'" + word.replace("\\", "").replace("'", "''") + "'"
