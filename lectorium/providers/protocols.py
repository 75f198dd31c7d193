"""Interfaces of models. Providers implement them; callers depend on nothing else."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
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

    name: str  # identifies its embedding space, e.g. "all-MiniLM-L6-v2"

    @property
    def width(self) -> int:
        """Dimensions of a vector."""
        ...

    @property
    def max_tokens(self) -> int:
        """Longest input including special tokens; longer ones would be truncated."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Unit vectors, shape (len(texts), width); (0, width) for no texts."""
        ...

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        """Unit vectors, shape (len(texts), width). Separate, because some models prefix questions."""
        ...

    def token_spans(self, text: str) -> TokenSpans:
        """The character span of each token of `text`, without special tokens."""
        ...


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of reading a question with a passage.

    relevance: for ordering within one question only. answerability: calibrated probability, 0..1, that the passage
    answers the question. span: characters of the best answer in the passage, or None.
    """

    relevance: float
    answerability: float
    span: tuple[int, int] | None


class Reader(Protocol):
    """A cross-encoder that reads a question with each passage; relevance and answerability in one pass."""

    @property
    def name(self) -> str: ...

    def read(self, question: str, passages: Sequence[str]) -> list[Reading]:
        """One Reading per passage, in order. Long passages are windowed, never truncated."""
        ...

    def rerank(self, question: str, passages: Sequence[str]) -> list[float]:
        """The relevance of each Reading: a Reader is also a Reranker."""
        ...


class Reranker(Protocol):
    """Scores passages against a question; compare scores within a call only."""

    @property
    def name(self) -> str: ...

    def rerank(self, question: str, passages: Sequence[str]) -> list[float]:
        """One score per passage, in order; higher is better.

        Local models window long passages; services receive them whole.
        """
        ...


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether evidence supports a claim: label, support 0..1, and the evidence's character span, if any.

    passed_bar: whether the verifier passed the hand-written bar (see Verifier).
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
        """Whether this verifier passed the hand-written bar, so that claims it supports may be called verified.

        The bar: at most 2 % of falsehoods written by hand are judged as supported, on a set its tuner has not seen.
        `manage.py evaluate verifier` measures it; an unmeasured verifier has not passed.
        """
        ...

    def verify(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """Judge (evidence, claim) pairs, in order.

        Local models window long evidence; services receive it whole.
        """
        ...


class RewordingJudge(Protocol):
    """Tells whether two questions ask the same, so that one answer serves both."""

    @property
    def name(self) -> str: ...

    def same(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The chance, 0..1, that both questions of each pair ask the same, in order."""
        ...


@dataclass(frozen=True, slots=True)
class ChatMessage:
    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A streamed text; the last piece has the token counts, if the service gives them.

    truncated: the token limit cut the answer, possibly within a sentence. Only set on the last piece.
    """

    text: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    truncated: bool = False


class ChatModel(Protocol):
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
        """Stream the answer, which is complete when the iteration ends. Raises ProviderError.

        schema: a JSON schema to request; the output must still be checked. tool: a function the model must call by this
        name;
        the text is then its arguments, in the form of `schema`. Closing the iterator or cancelling the task also stops
        the provider.
        """
        ...


TimedText = tuple[float, float, str]  # seconds from the start of the sound, and the words


@dataclass(frozen=True, slots=True)
class SpeechAnswer:
    """What a speech model heard. language: as the service names it. words: empty if the service does not time them."""

    language: str
    segments: tuple[TimedText, ...]
    words: tuple[TimedText, ...] = ()


class SpeechModel(Protocol):
    name: str  # "provider:model"

    def transcribe(self, path: Path) -> SpeechAnswer:
        """What is said in a sound file. Raises ProviderError."""
        ...
