"""Reads articles: those that somebody may read, their sources as they stand now, and the page of one."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet

from articles.models import Article, ArticleSource, ArticleVersion
from chat.answering.domain.footnotes import Footnote
from corpus.domain.addresses.address import address_keys
from corpus.domain.passage import Passage
from corpus.domain.text.folding import fold
from corpus.models import Chunk, Collection
from corpus.selectors import passages

User = AbstractBaseUser | AnonymousUser


@dataclass(frozen=True, slots=True)
class StandingSource:
    """A source of a version as it stands now. passage: None where it is withdrawn or gone."""

    row: ArticleSource
    passage: Passage | None

    @property
    def has_changed(self) -> bool:
        return (self.passage.content_hash if self.passage else "") != self.row.content_hash


def readable_articles(user: User, query: str = "") -> QuerySet[Article]:
    """The published articles of which this reader may open every shown source, with all words of the query."""
    lost = _shown().filter(version=OuterRef("published")).filter(~Exists(_chunks(user)))
    found = Article.objects.filter(state=Article.State.PUBLISHED, published__isnull=False).filter(~Exists(lost))
    for word in fold(query).split():
        found = found.filter(search_text__contains=word)
    return found.select_related("published").order_by("title", "topic", "pk")


def editable_articles(user: User) -> QuerySet[Article]:
    """The articles compiled only from collections that this editor may read, in any state."""
    allowed = Collection.objects.visible_to(user).values("pk")
    hidden = ArticleSource.objects.filter(version__article=OuterRef("pk")).exclude(collection__in=allowed)
    scoped = Q(collection=None) | Q(collection__in=allowed)
    return Article.objects.filter(scoped).filter(~Exists(hidden))


def standing_sources(version: ArticleVersion) -> list[StandingSource]:
    """The sources of a version, each as the chunk at its address in its collection. Two queries."""
    rows = list(version.sources.all())
    keys = [row.address_key for row in rows]
    chunks = Chunk.objects.filter(retrievable=True, collection__in={row.collection_id for row in rows})
    at: dict[tuple[object, str], list[Chunk]] = {}
    for chunk in chunks.at_address(keys).only("pk", "collection_id", "address_keys", "address", "content_hash"):
        for key in {*chunk.address_keys} & set(keys):
            at.setdefault((chunk.collection_id, key), []).append(chunk)
    chosen = {row.pk: _closest(row, at.get((row.collection_id, row.address_key), [])) for row in rows}
    found = {passage.chunk_id: passage for passage in passages([kept.pk for kept in chosen.values() if kept])}
    return [StandingSource(row, found.get(kept.pk) if (kept := chosen[row.pk]) else None) for row in rows]


def footnotes_of(sources: list[StandingSource]) -> tuple[tuple[Footnote, ...], frozenset[int]]:
    """The sources that stand, under their numbers, and the numbers of those that do not."""
    notes = tuple(Footnote(source.row.number, source.passage) for source in sources if source.passage)
    return notes, frozenset(source.row.number for source in sources if not source.passage)


def private_collections(version: ArticleVersion) -> list[str]:
    """The titles of the collections that not everybody may read and of which readers would see something."""
    shown = version.sources.filter(is_shown=True).exclude(collection__visibility=Collection.Visibility.PUBLIC)
    return sorted(set(shown.values_list("collection__title", flat=True)))


def passages_by_number(version: ArticleVersion) -> Mapping[int, Passage]:
    return {source.row.number: source.passage for source in standing_sources(version) if source.passage}


def _closest(row: ArticleSource, chunks: list[Chunk]) -> Chunk | None:
    """The chunk with the same text, else the one that begins at the address, else the first."""
    return min(
        chunks,
        key=lambda chunk: (
            chunk.content_hash != row.content_hash, row.address_key not in address_keys(chunk.address), str(chunk.pk),
        ),
        default=None,
    )  # fmt: skip


def _shown() -> QuerySet[ArticleSource]:
    return ArticleSource.objects.filter(is_shown=True)


def _chunks(user: User) -> QuerySet[Chunk]:
    """The chunk of a source, where this reader may see it."""
    there = Chunk.objects.filter(
        retrievable=True, collection=OuterRef("collection"), address_keys__contains=[OuterRef("address_key")]
    )
    return there.filter(collection__in=Collection.objects.visible_to(user).values("pk"))
