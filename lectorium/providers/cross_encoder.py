"""The shipped cross-encoder: reads questions, ranks passages and verifies claims, offline."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from .batching import Batcher
from .cross_encoder_model import TASKS, Logits
from .cross_encoder_weights import (
    CALIBRATION,
    SHIPPED,
    WeightsCalibration,
    load_calibration,
    load_network,
    logistic,
    require,
    store_calibration,
)
from .handwritten_bar import HandwrittenBar
from .memo import Memo
from .memory_release import unused_memory
from .pair_layout import PairLayout, Pass
from .precision import dtype_of
from .protocols import Judgement, Label, Reading
from .stand_ins import guard
from .windowing import QUERY_TOKENS, TokenizedText, best_sentence, statement_spans, windows, without_marks

TOKENS = {"reading": 320, "grounding": 256}  # trained at 256; at 320 a chunk of 256 and its question fit in one pass
OVERLAP = 48
PIECE_OVERLAP = 16
BATCH_TOKENS = 4096
LONGEST_ANSWER = 40  # tokens
TEXTS = 256  # texts whose tokens are cached (8 MB); a passage is read with the question and with every claim citing it
SCORES = 2048  # passes whose scores are cached (8 MB); most of what a second look reads, the first has read
EMPTY = -20.0  # relevance of an empty passage: below any real score, and valid JSON
PassKey = tuple[str, tuple[int, ...], tuple[int, ...]]  # the task, and the tokens of both texts
BERT = PairLayout(first=101, between=(102,), last=102, pad=0, typed=True, longest=TOKENS)


@dataclass(frozen=True, slots=True)
class Score:
    """The network's output for one pass; start, end and evidence have one value per token of the window."""

    relevance: float
    answerability: float
    grounding: tuple[float, float, float]
    start: Tensor
    end: Tensor
    evidence: Tensor


class CrossEncoder:
    """Reader, reranker and verifier on one network; loads on first use, thread-safe."""

    layout = BERT
    batch_tokens = BATCH_TOKENS

    def __init__(self, folder: Path = SHIPPED, *, dtype: torch.dtype | None = None, threads: int = 2) -> None:
        """`dtype` defaults to bfloat16 if the processor supports it."""
        self.folder = folder
        self._dtype = dtype or dtype_of("auto")
        self._threads = threads
        self._texts: Memo[str, TokenizedText] = Memo(TEXTS)
        self._scores: Memo[PassKey, Score] = Memo(SCORES)
        self._batcher: Batcher[Pass, Score] = Batcher(
            self._compute, self.layout.width, self.batch_tokens, mixed=self.layout.packed
        )

    @property
    def name(self) -> str:
        """Includes the version of the weights, since thresholds are fitted to them."""
        return f"lectorium-cross-encoder {self.calibration.version}"

    @property
    def passed_bar(self) -> bool:
        return self.calibration.passed_bar

    def store_bar(self, bar: HandwrittenBar) -> Path:
        """Store the result on the hand-written bar beside the weights and return the file. Raises OSError."""
        store_calibration(self.folder, replace(load_calibration(self.folder), handwritten=bar))
        return self.folder / CALIBRATION

    def read(self, question: str, passages: Sequence[str]) -> list[Reading]:
        """Read a question with each passage; a long passage scores as its best window.

        Only the last QUERY_TOKENS of a long question are read, since people ask at the end.
        """
        asked = self._text(question).ids[-QUERY_TOKENS:]
        texts = [self._text(passage) for passage in passages]
        rows = [row for owner, text in enumerate(texts) for row in self._passes("reading", owner, [asked], text)]
        found = self._score(rows)
        return [self._reading(text, found.get(owner, [])) for owner, text in enumerate(texts)]

    def rerank(self, question: str, passages: Sequence[str]) -> list[float]:
        """Each passage's relevance to the question; compare scores within a call only."""
        return [reading.relevance for reading in self.read(question, passages)]

    def verify(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """Judge (evidence, claim) pairs. A claim scores as its worst sentence (the weakest-claim rule)."""
        texts = [(self._text(evidence), claim) for evidence, claim in pairs]
        rows = [
            row
            for owner, (evidence, claim) in enumerate(texts)
            for row in self._passes("grounding", owner, self._pieces(claim), evidence)
        ]
        found = self._score(rows)
        return [self._judgement(evidence, found.get(owner, [])) for owner, (evidence, _) in enumerate(texts)]

    @cached_property
    def _network(self) -> nn.Module:
        guard.check(f"cross-encoder {self.folder.name}")
        torch.set_num_threads(self._threads)
        return load_network(self.folder, self._dtype)

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        require(self.folder)
        tokenizer = Tokenizer.from_file(str(self.folder / "tokenizer.json"))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def calibration(self) -> WeightsCalibration:
        return load_calibration(self.folder)

    def _pieces(self, claim: str) -> list[list[int]]:
        """Tokens of each statement in the claim, split beyond QUERY_TOKENS."""
        # Punctuation must not change support, so it is removed from the claim.
        statements = [self._text(without_marks(claim[start:end])).ids for start, end in statement_spans(claim)]
        return [
            ids[window.first : window.last]
            for ids in statements
            for window in windows(len(ids), QUERY_TOKENS, PIECE_OVERLAP)
        ]

    def _passes(self, task: str, owner: int, pieces: list[list[int]], text: TokenizedText) -> list[Pass]:
        return [
            Pass(task, owner, number, piece, window, text.ids[window.first : window.last])
            for number, piece in enumerate(pieces)
            for window in windows(len(text.ids), self.layout.room(task, piece), OVERLAP)
        ]

    def _text(self, text: str) -> TokenizedText:
        return self._texts.of([text], self._tokenized)[0]

    def _tokenized(self, texts: Sequence[str]) -> list[TokenizedText]:
        encoded = [self._tokenizer.encode(text, add_special_tokens=False) for text in texts]
        return [TokenizedText(text, found.ids, found.offsets) for text, found in zip(texts, encoded, strict=True)]

    def _score(self, rows: list[Pass]) -> dict[int, list[tuple[Pass, Score]]]:
        keys = [_key(row) for row in rows]
        passes = dict(zip(keys, rows, strict=True))
        scores = self._scores.of(keys, lambda new: self._batcher.run([passes[key] for key in new]))
        found: dict[int, list[tuple[Pass, Score]]] = {}
        for row, score in zip(rows, scores, strict=True):
            found.setdefault(row.owner, []).append((row, score))
        return found

    def _compute(self, batch: Sequence[Pass]) -> list[Score]:
        scores: dict[int, Score] = {}
        for task in {row.task for row in batch}:  # each task needs its own pass
            places = [place for place, row in enumerate(batch) if row.task == task]
            scores |= zip(places, self._read_batch([batch[place] for place in places], task), strict=True)
        unused_memory.release_periodically()
        return [scores[place] for place in range(len(batch))]

    def _read_batch(self, batch: list[Pass], task: str) -> list[Score]:
        with torch.inference_mode():
            logits: Logits = self._network(**self.layout.tensors(batch), task=TASKS.index(task))
        grounding = logits.grounding.log_softmax(-1).tolist()
        scores = []
        for i, row in enumerate(batch):
            tokens = self.layout.passage(row)
            score = Score(
                relevance=float(logits.relevance[i]),
                answerability=float(logits.answerability[i]),
                grounding=tuple(grounding[i]),
                start=logits.start[i, tokens],
                end=logits.end[i, tokens],
                evidence=logits.evidence[i, tokens],
            )
            scores.append(score)
        return scores

    def _reading(self, text: TokenizedText, scored: list[tuple[Pass, Score]]) -> Reading:
        if not scored:
            return Reading(relevance=EMPTY, answerability=0.0, span=None)
        row, score = max(scored, key=lambda entry: entry[1].answerability)
        answerability = logistic(score.answerability, self.calibration.answerability)
        span = None
        if answerability >= self.calibration.answered:
            first, last = best_answer(score.start, score.end)
            span = (text.offsets[row.window.first + first][0], text.offsets[row.window.first + last][1])
        return Reading(max(entry.relevance for _, entry in scored), answerability, span)

    def _judgement(self, text: TokenizedText, scored: list[tuple[Pass, Score]]) -> Judgement:
        if not scored:
            return Judgement("not_mentioned", 0.0, 0.0, None)
        pieces: dict[int, list[tuple[Pass, Score]]] = {}
        for entry in scored:
            pieces.setdefault(entry[0].piece, []).append(entry)
        judged = [self._judge_piece(text, entries) for entries in pieces.values()]
        return min(judged, key=lambda judgement: judgement.support)

    def _judge_piece(self, text: TokenizedText, scored: list[tuple[Pass, Score]]) -> Judgement:
        row, score = max(scored, key=lambda entry: _support_logit(entry[1]))
        support = logistic(_support_logit(score), self.calibration.support)
        denied_row, denied = max(scored, key=lambda entry: entry[1].grounding[1] - entry[1].grounding[2])
        denial = 1 / (1 + math.exp(min(60.0, denied.grounding[2] - denied.grounding[1])))
        label: Label = "supported"
        if support < self.calibration.supported:
            label = "contradicted" if denial > 0.5 else "not_mentioned"
        if label == "contradicted":
            row, score = denied_row, denied
        span = None if label == "not_mentioned" else _evidence_span(text, row, score)
        return Judgement(label, support, (1 - support) * denial, span, self.passed_bar)


def _key(row: Pass) -> PassKey:
    return row.task, tuple(row.query), tuple(row.ids)


def best_answer(start: Tensor, end: Tensor) -> tuple[int, int]:
    """First and last token (inclusive) of the likeliest answer of at most LONGEST_ANSWER tokens."""
    scores = start[:, None] + end[None, :]
    allowed = torch.ones_like(scores, dtype=torch.bool).triu().tril(LONGEST_ANSWER - 1)
    place = int(scores.masked_fill(~allowed, -math.inf).argmax())
    return place // len(end), place % len(end)


def _support_logit(score: Score) -> float:
    supported, *others = score.grounding
    return supported - math.log(sum(map(math.exp, others)) + 1e-30)


def _evidence_span(text: TokenizedText, row: Pass, score: Score) -> tuple[int, int] | None:
    offsets = text.offsets[row.window.first : row.window.last]
    return best_sentence(text.text, offsets, score.evidence.tolist())
