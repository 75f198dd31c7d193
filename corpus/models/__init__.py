"""What can be cited and where it is found."""

from .chunks import Chunk, ChunkVector, EmbeddingSpace
from .sources import Collection, Lecture, Section, Work
from .terms import Term
from .words import AddressScheme, GlossaryEntry

__all__ = [
    "AddressScheme", "Chunk", "ChunkVector", "Collection", "EmbeddingSpace", "GlossaryEntry", "Lecture", "Section",
    "Term", "Work",
]  # fmt: skip
