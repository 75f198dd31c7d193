"""Rows as tokens of the base's vocabulary. Each text is tokenized once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from lectorium.providers.windowing import QUERY_TOKENS
from training.batches import UNKNOWN, pairs_of
from training.gpu.candidates import ANSWERED, SOURCE
from training.gpu.kit import Span
from training.rows import GroundingRow, Row

LONGEST = 256  # tokens of a pair, with special ones
QUESTION_TOKENS = 64  # the last ones of a question
SPECIAL = 4  # of a pair
AT_ONCE = 20_000  # texts tokenized in one call

Ids = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class TokenGroup:
    """A question or a claim with its passages, which compete.

    task: as in TASKS. query, passages: token ids without special ones. relevant, answerable: of each passage, in {-1
    unknown, 0, 1}. spans: the answer's first and last token in each passage. answered: whether any passage answers, in
    {-1, 0, 1}. label: of a claim, in LABEL_INDEX or -1. evidence: (tokens of the passage,) in {0, 1}, of a claim.
    """

    task: str
    source: str
    query: Ids
    passages: tuple[Ids, ...]
    relevant: tuple[int, ...]
    answerable: tuple[int, ...]
    spans: tuple[Span | None, ...]
    answered: int = UNKNOWN
    label: int = UNKNOWN
    evidence: NDArray[np.int8] | None = None

    @property
    def longest(self) -> int:
        """Tokens of its longest pair."""
        return len(self.query) + max(map(len, self.passages)) + SPECIAL

    def narrowed(self, places: Sequence[int]) -> "TokenGroup":
        """The group with these passages only."""

        def some(values: Sequence[Any]) -> Any:
            return tuple(values[place] for place in places)

        columns = some(self.passages), some(self.relevant), some(self.answerable), some(self.spans)
        return TokenGroup(self.task, self.source, self.query, *columns, self.answered, self.label, self.evidence)


class TokenCache:
    """Token ids of texts, and the character spans of tokens."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._ids: dict[str, Ids] = {}
        self._offsets: dict[str, NDArray[np.int32]] = {}

    def groups(self, rows: Sequence[Row]) -> list[TokenGroup]:
        """The rows as tokens, in order."""
        pairs = [pairs_of(row, 0) for row in rows]
        every = [pair for row_pairs in pairs for pair in row_pairs]
        self._add([pair["a"] for pair in every])
        self._add([pair["b"] for pair in every])
        self._add([pair["b"] for pair in every if pair["answer_span"] or pair["evidence_spans"]], offsets=True)
        return [self._group(row, row_pairs) for row, row_pairs in zip(rows, pairs, strict=True)]

    def _add(self, texts: Iterable[str], *, offsets: bool = False) -> None:
        known = self._offsets if offsets else self._ids
        new = [text for text in dict.fromkeys(texts) if text not in known]
        for first in range(0, len(new), AT_ONCE):
            part = new[first : first + AT_ONCE]
            for text, entry in zip(part, self._tokenizer.encode_batch(part, add_special_tokens=False), strict=True):
                self._ids[text] = np.array(entry.ids, dtype=np.int32)
                if offsets:
                    self._offsets[text] = np.array(entry.offsets, dtype=np.int32).reshape(-1, 2)

    def _group(self, row: Row, pairs: Sequence[dict[str, Any]]) -> TokenGroup:
        claim = isinstance(row, GroundingRow)
        ids = self._ids[pairs[0]["a"]]
        query = ids[:QUERY_TOKENS] if claim else ids[-QUESTION_TOKENS:]
        room = LONGEST - SPECIAL - len(query)
        asked = row.source.startswith(SOURCE)
        return TokenGroup(
            task="grounding" if claim else "reading",
            source=row.source,
            query=query,
            passages=tuple(self._ids[pair["b"]][:room] for pair in pairs),
            relevant=tuple(pair["relevant"] for pair in pairs),
            answerable=tuple(pair["answerable"] for pair in pairs),
            spans=tuple(self._span(pair["b"], pair["answer_span"], room) for pair in pairs),
            answered=int(row.kind == ANSWERED) if asked else UNKNOWN,
            label=pairs[0]["label"],
            evidence=self._evidence(pairs[0], room) if claim else None,
        )

    def _span(self, text: str, span: Span | None, room: int) -> Span | None:
        """The first and last token of a span of characters; None if it lies outside the first `room` tokens."""
        if span is None:
            return None
        inside = self._inside(text, span)
        return (int(inside[0]), int(inside[-1])) if len(inside) and inside[-1] < room else None

    def _evidence(self, pair: dict[str, Any], room: int) -> NDArray[np.int8] | None:
        if not pair["evidence_spans"]:
            return None
        marks = np.zeros(len(self._ids[pair["b"]]), dtype=np.int8)
        for span in pair["evidence_spans"]:
            marks[self._inside(pair["b"], span)] = 1
        return marks[:room]

    def _inside(self, text: str, span: Span) -> NDArray[np.intp]:
        offsets = self._offsets[text]
        return np.nonzero((offsets[:, 0] < span[1]) & (offsets[:, 1] > span[0]))[0]
