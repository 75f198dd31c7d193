"""The lexical lane: searches for the question's words and their synonyms, or by spelling where no chunk has them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from types import MappingProxyType
from typing import Any
from uuid import UUID

from django.contrib.postgres.search import SearchQuery, SearchRank
from django.db.models import Case, F, FloatField, Value, When

from chat.answering.domain.evidence.coverage import alternative_weight
from chat.answering.domain.evidence.pool import Hit
from chat.answering.domain.viewer import Viewer
from corpus.indexing.terms import TermStatistics, resembling, term_statistics
from corpus.models import Chunk
from corpus.querysets import ChunkQuerySet

LEXICAL_HITS = 60
# A word in more chunks than this finds too many to rank; it still counts in the score of chunks found by rarer words.
COMMON_WORD_CHUNKS = 4000
SPELLING_HITS = 10
SPELLINGS = 5  # words of the corpus that an unknown one may be a spelling of
UNKNOWN_WORDS = 8  # of a turn's wordings; text of another language is not looked up word by word
EVERYWHERE = ""

Form = tuple[str, ...]  # lexemes that together say a word, or its synonym


def lexical_lane(
    wordings: Sequence[Sequence[str]],
    viewer: Viewer,
    alternatives: Mapping[str, Sequence[Sequence[str]]] = MappingProxyType({}),
    labels: str = EVERYWHERE,
) -> list[Hit]:
    """For each wording, the chunks that hold most of its words, rare words counting more; `value` is that share.

    What means the same as a word stands in for it. A word that no chunk holds, nor any of its alternatives, is looked
    up by its spelling instead (lane "spelling", `value` its resemblance); both values are 0..1. All wordings are
    searched in one statement, those of the same words once. labels: of the search vector, those looked in: A title,
    B address, C text, D context.
    """
    places: dict[tuple[str, ...], int] = {}
    for place, wording in enumerate(wordings):
        places.setdefault(tuple(wording), place)
    searched = list(places)
    terms = term_statistics(chain.from_iterable(searched), alternatives)
    forms = {word: _forms(word, alternatives, terms) for word in dict.fromkeys(chain.from_iterable(searched))}
    unknown = [word for word, known in forms.items() if not known][:UNKNOWN_WORDS]
    spelled = {word: _spelling_hits(word, viewer, labels) for word in unknown}
    found = _found(searched, forms, viewer, terms, labels)
    hits = []
    for (words, place), chunks in zip(places.items(), found, strict=True):
        total = sum(map(terms.weight, words))
        hits += [replace(hit, wording=place) for word in words for hit in spelled.get(word, ())]
        hits += [Hit(pk, "lexical", rank, share / total, place) for rank, (pk, share) in enumerate(chunks, 1)]
    return hits


def _found(
    searched: Sequence[Sequence[str]],
    forms: Mapping[str, Sequence[Form]],
    viewer: Viewer,
    terms: TermStatistics,
    labels: str,
) -> list[list[tuple[UUID, float]]]:
    """Each wording's chunks with the weight of the words they hold, the best first."""
    looks = []
    for place, words in enumerate(searched):
        look = _look({word: forms[word] for word in words if forms[word]}, viewer, terms, labels)
        if look is not None:
            looks.append(look.annotate(place=Value(place)).values_list("place", "share", "rank", "pk")[:LEXICAL_HITS])
    found: list[list[tuple[UUID, float]]] = [[] for _ in searched]
    rows = looks[0].union(*looks[1:], all=True) if looks else ()
    for place, share, _, pk in sorted(rows, key=lambda row: (-row[1], -row[2], row[3])):
        found[place].append((pk, share))
    return found


def _look(
    known: Mapping[str, Sequence[Form]], viewer: Viewer, terms: TermStatistics, labels: str
) -> ChunkQuerySet | None:
    """The chunks that hold one of the words, with their `share` and `rank`, the best first."""
    every = [form for forms in known.values() for form in forms]
    searched = _selective(known, every, terms)
    if not searched:
        return None
    holding = Chunk.objects.filter(search_vector=_any_of(searched, labels))
    share = sum((_worth(word, forms, terms, holding, labels) for word, forms in known.items()), start=_nothing())
    rank = SearchRank(F("search_vector"), _any_of(every, labels), normalization=1)
    return holding.within(viewer.scope).annotate(share=share, rank=rank).order_by("-share", "-rank", "pk")


def _spelling_hits(word: str, viewer: Viewer, labels: str) -> list[Hit]:
    found: dict[UUID, float] = {}
    for lexeme, resemblance in resembling(word, SPELLINGS):
        holding = Chunk.objects.within(viewer.scope).filter(search_vector=_any_of([(lexeme,)], labels))
        for chunk_id in holding.order_by("pk").values_list("pk", flat=True)[:SPELLING_HITS]:
            found.setdefault(chunk_id, resemblance)
        if len(found) >= SPELLING_HITS:
            break
    closest = list(found.items())[:SPELLING_HITS]
    return [Hit(chunk_id, "spelling", rank, value) for rank, (chunk_id, value) in enumerate(closest, 1)]


def _forms(word: str, alternatives: Mapping[str, Sequence[Sequence[str]]], terms: TermStatistics) -> list[Form]:
    """The word and its synonyms, those that the corpus holds; the word itself first."""
    forms = [(word,), *map(tuple, alternatives.get(word, ()))]
    return [form for form in forms if all(lexeme in terms.chunks for lexeme in form)]


def _worth(word: str, forms: Sequence[Form], terms: TermStatistics, holding: ChunkQuerySet, labels: str) -> Any:
    """Return the weight a chunk of `holding` earns for the best form of the word that it holds.

    The index says which chunks hold it; to ask each chunk's own vector would unpack that once a word.
    """
    worths = sorted(((alternative_weight(word, form, terms.weight), form) for form in forms), reverse=True)
    cases = (
        When(pk__in=holding.filter(search_vector=_any_of([form], labels)).values("pk"), then=Value(worth))
        for worth, form in worths
    )
    return Case(*cases, default=0.0, output_field=FloatField())


def _nothing() -> Any:
    return Value(0.0, output_field=FloatField())


def _selective(words: Iterable[str], forms: Sequence[Form], terms: TermStatistics) -> list[Form]:
    """The forms rare enough to search by; the question's rarest own word where all are common."""

    def fewest(form: Form) -> int:
        return min(terms.chunks[lexeme] for lexeme in form)

    rare = [form for form in forms if fewest(form) <= COMMON_WORD_CHUNKS]
    own = sorted(((word,) for word in words if word in terms.chunks), key=fewest)
    return rare if not own or own[0] in rare else [*rare, own[0]]


def _any_of(forms: Sequence[Form], labels: str) -> SearchQuery:
    only = f":{labels}" if labels else ""
    alternatives = (" & ".join(_quoted(lexeme) + only for lexeme in form) for form in forms)
    return SearchQuery(
        " | ".join(f"({alternative})" for alternative in alternatives), search_type="raw", config="simple"
    )


def _quoted(word: str) -> str:
    return "'" + word.replace("\\", "").replace("'", "''") + "'"
