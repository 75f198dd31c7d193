"""What each kind of model does for us. Providers implement these; callers depend on nothing else."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Label = Literal["supported", "contradicted", "not_mentioned"]
Role = Literal["system", "user", "assistant"]
Schema = dict[str, Any]  # a JSON schema

Vector = NDArray[np.float32]
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

    @property
    def name(self) -> str: ...

    def read(self, question: str, passages: Sequence[str]) -> list[Reading]:
        """Return one Reading a passage, in the order given. Long passages are windowed, never truncated."""
        ...

    def rerank(self, question: str, passages: Sequence[str]) -> list[float]:
        """Return the relevance of each Reading: a Reader is also a Reranker."""
        ...


class Reranker(Protocol):
    """Scores passages against a question; scores compare only within one call."""

    @property
    def name(self) -> str: ...

    def rerank(self, question: str, passages: Sequence[str]) -> list[float]:
        """Return one score a passage, in the order given, higher is better.

        A model of ours windows long passages; one behind a service is sent them whole.
        """
        ...


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether evidence supports a claim: the label, support 0..1, and the evidence's character span, if any.

    passed_bar: the verifier that judged it passed the hand-written bar (see Verifier).
    """

    label: Label
    support: float
    contradiction: float
    span: tuple[int, int] | None
    passed_bar: bool = False


class Verifier(Protocol):
    """Judges claims against evidence. Never the model that wrote the claim."""

    @property
    def name(self) -> str: ...

    @property
    def passed_bar(self) -> bool:
        """Whether this verifier passed the hand-written bar, so that what it supports may be called verified.

        The bar: at most 2 % of falsehoods written by hand come out as supported, on a set its tuner has not seen.
        `manage.py evaluate verifier` measures it; a verifier that was not measured has not passed.
        """
        ...

    def verify(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """Judge (evidence, claim) pairs, in the order given.

        A model of ours windows long evidence, never truncates it; one behind a service is sent it whole.
        """
        ...


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of what a chat model is given."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Some streamed text; the last piece carries the tokens read and written, where the service counts them.

    truncated: the token limit stopped the model, so the last sentence may be half of one. Said on the last piece.
    """

    text: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    truncated: bool = False


class ChatModel(Protocol):
    """Writes an answer to messages, piece by piece."""

    name: str  # "provider:model"

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        temperature: float,
        schema: Schema | None = None,
        tool: str | None = None,
    ) -> AsyncIterator[Piece]:
        """Stream the answer; it is complete when the iteration ends, and raises ProviderError where it cannot be.

        schema: the JSON schema that the text should fit; it is asked for, never relied on: check what came.
        tool: a function the model must call, by this literal name; the text is then its arguments, shaped by `schema`.
        Closing the iterator, or cancelling the task that awaits it, ends the work at the provider too.
        """
        ...
