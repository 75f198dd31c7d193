"""The clips that the product would judge for each question of the pool, with labels.

A question is searched by its vector among the sentences of all passages; `quotation.rivals` makes 16 clips of the
nearest 16 passages. The passage of the question is always among them, and so is a clip with its whole answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing import get_context

import numpy as np
from numpy.typing import NDArray

from chat.answering.domain.evidence.quotation import Clips, EvidenceSentence, QuotationRules, Quote, rivals
from corpus.domain.text.sentences import sentence_spans
from training.gpu.kit import PoolPassage, PoolQuestion, Span
from training.rows import PassageRow, ReadingRow

RULES = QuotationRules()
PASSAGES = 16
SOURCE = "candidates"
ANSWERED, NEAR_MISS = "answered", "near miss"  # kinds of rows

Similarities = NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class SplitTexts:
    """Texts in sentences. spans: of each text. starts: the index of each text's first sentence, then their number."""

    texts: tuple[str, ...]
    spans: tuple[tuple[Span, ...], ...]
    starts: NDArray[np.int64]

    def sentences(self) -> list[str]:
        """The sentences of all texts, in order."""
        return [text[a:b] for text, spans in zip(self.texts, self.spans, strict=True) for a, b in spans]

    def nearest(self, similarities: Similarities) -> list[int]:
        """The texts with the likest sentences, at most PASSAGES, best first. similarities: one per sentence."""
        best = np.maximum.reduceat(similarities, self.starts[:-1])
        return [int(place) for place in np.argsort(-best, kind="stable")[:PASSAGES]]

    def evidence(self, chosen: Sequence[int], similarities: Similarities) -> list[EvidenceSentence]:
        """The sentences of the chosen texts; a sentence's `passage` is an index into `chosen`."""
        return [
            EvidenceSentence(
                number,
                position,
                (a, b),
                self.texts[place][a:b],
                float(similarities[self.starts[place] + position]),
            )
            for number, place in enumerate(chosen)
            for position, (a, b) in enumerate(self.spans[place])
        ]


def split_texts(texts: Sequence[str]) -> SplitTexts:
    """Split texts into sentences; a text without any is one sentence."""
    spans = tuple(tuple(sentence_spans(text) or [(0, len(text))]) for text in texts)
    return SplitTexts(tuple(texts), spans, np.cumsum([0, *map(len, spans)]))


def clip_text(clip: Quote) -> str:
    return " ".join(sentence.text for sentence in clip.sentences)


def clip_labels(
    held: int, holding: int, *, at_home: bool, spoken: bool, below_answer: bool
) -> tuple[bool | None, bool | None]:
    """Whether a clip is relevant, and whether it answers; None is unknown.

    held, holding: the answer's sentences in the clip, and in all. at_home: the clip is of the question's passage.
    below_answer: its lead is less like the question than the answer's sentences. A part of an answer is unknown, and so
    is a clip of another lecture, unless it is less like the question than the answer.
    """
    certain = at_home or not spoken
    if not holding:
        return None, (False if certain else None)
    if held:
        return (True, True) if held == holding else (None, None)
    return False, (False if certain or below_answer else None)


def answer_in_clip(clip: Quote, span: Span) -> Span | None:
    """The characters of the passage's `span` in the clip's text; None if the clip has none of them."""
    offset, first, last = 0, None, 0
    for sentence in clip.sentences:
        start, end = max(span[0], sentence.span[0]), min(span[1], sentence.span[1])
        if start < end:
            first = offset + start - sentence.span[0] if first is None else first
            last = offset + end - sentence.span[0]
        offset += len(sentence.text) + 1
    return None if first is None else (first, last)


def candidate_row(
    question: PoolQuestion, similarities: Similarities, split: SplitTexts, passages: Sequence[PoolPassage]
) -> ReadingRow | None:
    """A question with its clips; None if no clip can hold its whole answer."""
    near = split.nearest(similarities)
    if question.passage not in near:
        near[-1] = question.passage
    home = near.index(question.passage)
    evidence = split.evidence(near, similarities)
    span = question.span
    own = [sentence for sentence in evidence if sentence.passage == home]
    holding = [s for s in own if span and s.span[0] < span[1] and span[0] < s.span[1]]
    clips = with_answer(list(rivals(evidence, RULES)), evidence, holding)
    if not clips or (span and not holding):
        return None
    answer_similarity = max((sentence.similarity for sentence in holding), default=0.0)
    found = []
    for clip in clips:
        held = sum(sentence in clip.sentences for sentence in holding)
        relevant, answers = clip_labels(
            held,
            len(holding),
            at_home=clip.passage == home,
            spoken=passages[near[clip.passage]].spoken,
            below_answer=clip.answering.similarity < answer_similarity,
        )
        where = answer_in_clip(clip, span) if span and relevant else None
        found.append(PassageRow(clip_text(clip), relevant, answers, where))
    kind = ANSWERED if holding else NEAR_MISS
    return ReadingRow(f"{SOURCE}:{question.source}", question.split, question.question, found, kind)


def with_answer(
    clips: list[Quote], evidence: Sequence[EvidenceSentence], holding: Sequence[EvidenceSentence]
) -> list[Quote] | None:
    """The clips with one that holds all of `holding`, added at the end if there is none; None if none can."""
    if any(set(holding) <= set(clip.sentences) for clip in clips) or not holding:
        return clips
    answer = Clips(evidence, RULES).around(holding[0], RULES.lead_words)
    if not set(holding) <= set(answer.sentences):
        return None
    texts = {sentence.text for sentence in answer.sentences}
    apart = [clip for clip in clips if texts.isdisjoint(sentence.text for sentence in clip.sentences)]
    return [*apart[: RULES.judged - 1], answer]


@dataclass(frozen=True, slots=True)
class CandidateBuilder:
    """Builds the rows of questions by index. similarities: shape (questions, sentences)."""

    questions: Sequence[PoolQuestion]
    similarities: Similarities
    split: SplitTexts
    passages: Sequence[PoolPassage]

    def row(self, index: int) -> ReadingRow | None:
        return candidate_row(self.questions[index], self.similarities[index], self.split, self.passages)


_shared: list[CandidateBuilder] = []  # of a worker process


def candidate_rows(builder: CandidateBuilder, *, workers: int) -> list[ReadingRow]:
    """The rows of all questions, built by forked processes."""
    places = range(len(builder.questions))
    if workers <= 1:
        rows = list(map(builder.row, places))
    else:
        with get_context("fork").Pool(workers, _share, (builder,)) as processes:
            rows = processes.map(_shared_row, places, chunksize=64)
    return [row for row in rows if row is not None]


def _share(builder: CandidateBuilder) -> None:
    _shared[:] = [builder]


def _shared_row(index: int) -> ReadingRow | None:
    return _shared[0].row(index)
