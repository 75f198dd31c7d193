"""Chunks due for embedding: their texts, vectors and database rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid4

from pgvector import HalfVector

from corpus.domain.text.sentences import Span, sentence_spans
from lectorium.providers.memo import Memo
from lectorium.providers.protocols import Embedder

KNOWN_TEXTS = 32_768  # whose vectors a run keeps, 1 to 2 kB each
Vectors = Mapping[str, HalfVector]  # by the embedded text
KnownVectors = Memo[str, HalfVector]
ChunkRow = tuple[UUID, UUID, UUID, str, int, HalfVector]
SentenceRow = tuple[UUID, UUID, UUID, int, int, int, HalfVector]


@dataclass(frozen=True, slots=True)
class DueChunk:
    """A chunk to embed. `whole` is what is embedded for the chunk as such."""

    pk: UUID
    embedded_hash: str
    text: str
    whole: str

    @property
    def spans(self) -> list[Span]:
        return sentence_spans(self.text)

    @property
    def texts(self) -> list[str]:
        """Every text to embed: the whole, then each sentence."""
        return [self.whole, *(self.text[slice(*span)] for span in self.spans)]


def embed_batch(embedder: Embedder, batch: Sequence[DueChunk], known: KnownVectors) -> Vectors:
    """The vector of each text of the batch; those not yet known are embedded in one call.

    Many are equal: a verse of one sentence equals that sentence, in speech a quarter of the sentences repeat, and
    neighbouring chunks of a lecture share sentences.
    """

    def embedded(texts: Sequence[str]) -> list[HalfVector]:
        return [HalfVector(vector) for vector in embedder.embed_passages(texts)]

    texts = list(dict.fromkeys(text for chunk in batch for text in chunk.texts))
    return dict(zip(texts, known.of(texts, embedded), strict=True))


def vector_rows(space: UUID, chunks: Sequence[DueChunk], vectors: Vectors) -> tuple[list[ChunkRow], list[SentenceRow]]:
    """Database rows of the chunks and of their sentences."""
    whole = [
        (uuid4(), chunk.pk, space, chunk.embedded_hash, len(chunk.spans), vectors[chunk.whole]) for chunk in chunks
    ]
    sentences = [
        (uuid4(), chunk.pk, space, position, start, end, vectors[chunk.text[start:end]])
        for chunk in chunks
        for position, (start, end) in enumerate(chunk.spans)
    ]
    return whole, sentences
