"""Chunks due for embedding: their texts, vectors and database rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid4

from pgvector import HalfVector

from corpus.domain.text.sentences import Span, sentence_spans
from lectorium.providers.protocols import Embedder, Vector

Vectors = Mapping[str, Vector]  # by the embedded text
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


def embed_batch(embedder: Embedder, batch: Sequence[DueChunk]) -> Vectors:
    """The vector of each text of the batch, in one call without repeated texts.

    Many are equal: a verse of one sentence equals that sentence, and in speech a quarter of the sentences repeat.
    """
    texts = list(dict.fromkeys(text for chunk in batch for text in chunk.texts))
    return dict(zip(texts, embedder.embed_passages(texts), strict=True))


def vector_rows(space: UUID, chunks: Sequence[DueChunk], vectors: Vectors) -> tuple[list[ChunkRow], list[SentenceRow]]:
    """Database rows of the chunks and of their sentences."""
    halves = {text: HalfVector(vector) for text, vector in vectors.items()}
    whole = [(uuid4(), chunk.pk, space, chunk.embedded_hash, len(chunk.spans), halves[chunk.whole]) for chunk in chunks]
    sentences = [
        (uuid4(), chunk.pk, space, position, start, end, halves[chunk.text[start:end]])
        for chunk in chunks
        for position, (start, end) in enumerate(chunk.spans)
    ]
    return whole, sentences
