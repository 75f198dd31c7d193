"""Turns rows into padded tensors: sampled by source weight, bucketed by length, sized by tokens."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from lectorium.providers.batching import padding_step
from lectorium.providers.windowing import without_marks
from training.rows import GroundingRow, ReadingRow, Row

LABEL_INDEX = {"supported": 0, "contradicted": 1, "not_mentioned": 2, "not_supported": 3}
UNKNOWN = -1
LONG = 110


@dataclass(frozen=True, slots=True)
class Batch:
    """One padded batch of n pairs of length t for one task.

    group: (n,) which question a pair belongs to. relevant, answerable: (n,) in {-1 unknown, 0, 1}.
    label: (n,) in LABEL_INDEX or -1. start, end: (n,) token index, -1 unknown. evidence: (n, t) in {-1 unknown, 0, 1}.
    passage: (n, t), true on tokens of the passage.
    """

    task: str
    inputs: dict[str, Tensor]
    group: Tensor
    relevant: Tensor
    answerable: Tensor
    label: Tensor
    start: Tensor
    end: Tensor
    evidence: Tensor
    passage: Tensor

    def to(self, device: torch.device) -> "Batch":
        tensors = ("group", "relevant", "answerable", "label", "start", "end", "evidence", "passage")
        moved = {name: getattr(self, name).to(device, non_blocking=True) for name in tensors}
        inputs = {name: tensor.to(device, non_blocking=True) for name, tensor in self.inputs.items()}
        return replace(self, inputs=inputs, **moved)


class Sampler:
    """Draws rows of one task forever: a source by weight, then its rows in a fresh shuffle each pass."""

    def __init__(self, sources: dict[str, list[Row]], weights: dict[str, float], rng: random.Random) -> None:
        self.names = [name for name in sources if weights.get(name, 0.0) > 0 and sources[name]]
        self.weights = [weights[name] for name in self.names]
        self.sources = sources
        self.rng = rng
        self.queues: dict[str, list[Row]] = {name: [] for name in self.names}

    def draw(self) -> Row:
        name = self.rng.choices(self.names, self.weights)[0]
        queue = self.queues[name]
        if not queue:
            queue.extend(self.sources[name])
            self.rng.shuffle(queue)
        return queue.pop()


def batches(
    sampler: Sampler, *, batch_tokens: int, pool_batches: int, max_tokens: int, long_share: float = 1.0
) -> Iterator[list[Row]]:
    """Lists of rows of similar length whose padded size is about `batch_tokens`, forever.

    long_share: share of the rows longer than LONG tokens that are kept, 0..1.
    """
    while True:
        pool: list[Row] = []
        tokens = 0
        while tokens < batch_tokens * pool_batches:
            row = sampler.draw()
            if _longest(row, max_tokens) > LONG and sampler.rng.random() > long_share:
                continue
            pool.append(row)
            tokens += _tokens(row, max_tokens)
        pool.sort(key=lambda row: _longest(row, max_tokens))
        cut = _cut(pool, batch_tokens, max_tokens)
        sampler.rng.shuffle(cut)
        yield from cut


def _cut(pool: Sequence[Row], batch_tokens: int, max_tokens: int) -> list[list[Row]]:
    cut: list[list[Row]] = [[]]
    pairs = 0
    for row in pool:
        size = len(row.passages) if isinstance(row, ReadingRow) else 1
        if cut[-1] and (pairs + size) * _longest(row, max_tokens) > batch_tokens:
            cut.append([])
            pairs = 0
        cut[-1].append(row)
        pairs += size
    return cut


def _longest(row: Row, max_tokens: int) -> int:
    if isinstance(row, GroundingRow):
        characters = len(row.claim) + len(row.evidence)
    else:
        characters = len(row.question) + max(len(passage.text) for passage in row.passages)
    return min(max_tokens, int(characters / 4.3) + 6)


def _tokens(row: Row, max_tokens: int) -> int:
    size = len(row.passages) if isinstance(row, ReadingRow) else 1
    return size * _longest(row, max_tokens)


def collate(rows: Sequence[Row], tokenizer: Any, max_tokens: int, *, width: int | None = None) -> Batch:
    """Tokenize rows of one task into a Batch. Passages are truncated, and so are claims over 500 characters.

    Claims lose the punctuation next to their words, as in the verifier. width: pad every row to exactly this many
    tokens; None pads to the longest row, in steps.
    """
    pairs = [pair for index, row in enumerate(rows) for pair in pairs_of(row, index)]
    encoded = tokenizer(
        [pair["a"] for pair in pairs],
        [pair["b"] for pair in pairs],
        truncation="longest_first" if any(len(pair["a"]) > 500 for pair in pairs) else "only_second",
        max_length=width or max_tokens,
        padding="max_length" if width else True,
        pad_to_multiple_of=None if width else padding_step(max_tokens),
        return_tensors="pt",
        return_offsets_mapping=True,
    )
    offsets = encoded.pop("offset_mapping")
    passage = torch.tensor([[part == 1 for part in encoded.sequence_ids(i)] for i in range(len(pairs))])
    starts, ends, evidence = [], [], torch.full(passage.shape, UNKNOWN)
    for i, pair in enumerate(pairs):
        start, end = _locate(pair["answer_span"], offsets[i], passage[i])
        starts.append(start)
        ends.append(end)
        if pair["evidence_spans"]:
            evidence[i] = _mark(pair["evidence_spans"], offsets[i], passage[i])
    column = {key: torch.tensor([pair[key] for pair in pairs]) for key in ("group", "relevant", "answerable", "label")}
    return Batch(
        task="grounding" if isinstance(rows[0], GroundingRow) else "reading",
        inputs=dict(encoded),
        start=torch.tensor(starts),
        end=torch.tensor(ends),
        evidence=evidence,
        passage=passage,
        **column,
    )


def pairs_of(row: Row, group: int) -> list[dict[str, Any]]:
    """The (a, b) texts of a row with the labels of each pair; `group` marks competing pairs."""
    if isinstance(row, GroundingRow):
        pair = {
            "a": without_marks(row.claim),
            "b": row.evidence,
            "label": LABEL_INDEX[row.label],
            "evidence_spans": row.evidence_spans,
        }
        return [pair | {"group": group, "relevant": UNKNOWN, "answerable": UNKNOWN, "answer_span": None}]
    return [
        {
            "a": row.question,
            "b": passage.text,
            "group": group,
            "label": UNKNOWN,
            "relevant": UNKNOWN if passage.relevant is None else int(passage.relevant),
            "answerable": UNKNOWN if passage.answerable is None else int(passage.answerable),
            "answer_span": passage.answer_span,
            "evidence_spans": passage.evidence_spans,
        }
        for passage in row.passages
    ]


def _locate(span: tuple[int, int] | None, offsets: Tensor, passage: Tensor) -> tuple[int, int]:
    if span is None:
        return UNKNOWN, UNKNOWN
    inside = passage & (offsets[:, 0] < span[1]) & (offsets[:, 1] > span[0])
    places = inside.nonzero().flatten().tolist()
    return (places[0], places[-1]) if places else (UNKNOWN, UNKNOWN)


def _mark(spans: Sequence[tuple[int, int]], offsets: Tensor, passage: Tensor) -> Tensor:
    marked = torch.zeros(len(passage), dtype=torch.bool)
    for first, last in spans:
        marked |= (offsets[:, 0] < last) & (offsets[:, 1] > first)
    return torch.where(passage, marked.long(), torch.tensor(UNKNOWN))
