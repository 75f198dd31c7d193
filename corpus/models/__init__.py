"""What can be cited and where it is found."""

from .chunks import Chunk, ChunkVector, EmbeddingSpace
from .imports import Import
from .sources import Collection, Lecture, Section, Work
from .terms import Term

__all__ = ["Chunk", "ChunkVector", "Collection", "EmbeddingSpace", "Import", "Lecture", "Section", "Term", "Work"]
