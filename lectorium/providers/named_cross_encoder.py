"""Any sentence-transformers CrossEncoder as a reranker."""

import os
from collections.abc import Sequence
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

from .batching import Batcher
from .errors import PermanentError
from .stand_ins import guard
from .windowing import QUERY_TOKENS, TokenWindow, windows

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

OVERLAP = 48
ROOM = 64  # pairs per pass
SPECIAL_TOKENS = 4  # the maximum for models in use


class NamedCrossEncoder:
    """A reranker on a model with one score; a long passage scores as its best window."""

    def __init__(self, name: str, *, threads: int = 2) -> None:
        """name: a sentence-transformers model in the local cache, or a folder. Loads on first use."""
        self.name = name
        self._threads = threads
        self._batcher: Batcher[tuple[str, str], float] = Batcher(self._compute, lambda _: 1, ROOM)

    def rerank(self, question: str, passages: Sequence[str]) -> list[float]:
        """One score per passage, in order; compare within a call only.

        Only the last QUERY_TOKENS of a long question are read. Raises PermanentError where the model gives several
        scores.
        """
        asked = self._cut(question, QUERY_TOKENS)[-1] if question.strip() else ""
        room = self._longest - len(self._spans(asked)) - SPECIAL_TOKENS
        pieces = [(owner, piece) for owner, passage in enumerate(passages) for piece in self._cut(passage, room)]
        scores = self._batcher.run([(asked, piece) for _, piece in pieces])
        owned = zip((owner for owner, _ in pieces), scores, strict=True)
        return [max(score for _, score in group) for _, group in groupby(owned, key=lambda entry: entry[0])]

    @cached_property
    def _model(self) -> "CrossEncoder":
        guard.check(f"cross-encoder {self.name}")
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        import torch
        from sentence_transformers import CrossEncoder

        torch.set_num_threads(self._threads)
        model: CrossEncoder = CrossEncoder(self.name, device="cpu")
        if model.num_labels != 1:
            message = f"{self.name} gives {model.num_labels} scores a pair; a reranker must give one"
            raise PermanentError(message)
        return model

    @property
    def _longest(self) -> int:
        return min(512, int(self._model.max_seq_length or 512))

    def _compute(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return [float(score) for score in self._model.predict(list(pairs), show_progress_bar=False)]

    def _spans(self, text: str) -> list[tuple[int, int]]:
        encoded = self._model.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
        return [(start, end) for start, end in encoded["offset_mapping"]]

    def _cut(self, text: str, room: int) -> list[str]:
        spans = self._spans(text)
        parts = windows(len(spans), room, min(OVERLAP, room // 2)) or [TokenWindow(0, 0)]
        return [text[spans[part.first][0] : spans[part.last - 1][1]] if part.last else text for part in parts]
