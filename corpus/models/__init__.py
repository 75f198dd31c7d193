from .chunks import Chunk, Fingerprint
from .imports import Import
from .mentions import VerseMention
from .sources import Collection, Lecture, Section, Work
from .spaces import ChunkVector, EmbeddingSpace, IndexClaim, IndexRun, SentenceVector
from .terms import Term
from .transcriptions import Transcription
from .words import AddressScheme, GlossaryEntry

__all__ = [
    "AddressScheme", "Chunk", "ChunkVector", "Collection", "EmbeddingSpace", "Fingerprint", "GlossaryEntry", "Import",
    "IndexClaim", "IndexRun", "Lecture", "Section", "SentenceVector", "Term",
    "Transcription", "VerseMention", "Work",
]  # fmt: skip
