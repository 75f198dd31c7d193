"""What each kind of model does for us. Providers implement these; callers depend on nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Label = Literal["supported", "contradicted", "not_mentioned"]

Matrix = NDArray[np.float32]
TokenSpans = list[tuple[int, int]]


class Embedder(Protocol):
    """Maps texts to unit vectors whose dot product is their cosine."""

    name: str  # what a space is keyed by, e.g. "all-MiniLM-L6-v2"

    @property
    def width(self) -> int:
        """Dimensions of a vector."""
        ...

    @property
    def max_tokens(self) -> int:
        """Longest input, special tokens included; what is longer would be truncated."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Return unit vectors, shape (len(texts), width); (0, width) for no texts."""
        ...

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        """Return unit vectors, shape (len(texts), width); some models prefix questions, so it is its own call."""
        ...

    def token_spans(self, text: str) -> TokenSpans:
        """Return the character span of each token of `text`, without special tokens."""
        ...


@dataclass(frozen=True, slots=True)
class Reading:
    """What one joint reading of a question and a passage says.

    relevance: how well the passage fits the question, for ordering within one question only.
    answerability: calibrated probability, 0..1, that the passage answers this question.
    span: character span in the passage of the best answer, or None where there is none.
    """

    relevance: float
    answerability: float
    span: tuple[int, int] | None


class Reader(Protocol):
    """A cross-encoder that reads a question with each passage; relevance and answerability in one pass."""

    name: str

    def read(self, question: str, passages: Sequence[str]) -> list[Reading]:
        """Return one Reading a passage, in the order given. Long passages are windowed, never truncated."""
        ...


class Reranker(Protocol):
    """Scores passages against a question; scores compare only within one call."""

    name: str

    def rerank(self, question: str, passages: Sequence[str]) -> list[float]:
        """Return one score a passage, in the order given, higher is better."""
        ...


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether evidence supports a claim: the label, support 0..1, and the evidence's character span, if any."""

    label: Label
    support: float
    contradiction: float
    span: tuple[int, int] | None


class Verifier(Protocol):
    """Judges claims against evidence. Never the model that wrote the claim."""

    name: str

    def verify(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """Judge (evidence, claim) pairs, in the order given. Long evidence is windowed, never truncated."""
        ...
