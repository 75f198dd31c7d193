"""The quotation synthesizer's rules: which sentences of the evidence answer the question, and in what order.

Nothing here writes: every sentence is a span of a passage. The direct ones are quoted, and of these the one that holds
what the cross-encoder takes for the answer leads; a sentence that leans on its neighbour ("He then…") brings the
neighbour along, as does one that the next takes back; the rest is grouped by source so that it reads well.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from chat.domain.neighbours import goes_on, leans_on_neighbour, takes_back
from corpus.domain.passage import Span
from corpus.domain.sentences import is_question


@dataclass(frozen=True, slots=True)
class QuotationRules:
    """Limits of an answer. Evidence: docs/thresholds.md.

    similarity_weight: share of the sentence's cosine in its score; the rest is the share of the question's words it
    holds, each word weighed by its rarity. floor: lowest score beside the best that still adds to the answer.
    answer_weight: of the reader's answer in which of these leads.
    """

    max_sentences: int = 6
    max_per_passage: int = 3
    max_sources: int = 4
    similarity_weight: float = 0.6
    passage_weight: float = 0.6
    floor: float = 0.85
    min_words: int = 5
    definition_bonus: float = 0.3
    answer_weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the evidence: its passage (index in evidence order), its span there, and what speaks for it.

    similarity: cosine with the question. term_share: share of the question's words found in it, by weight, 0..1.
    passage_share: how well its whole passage fits, 0..1. defines: it says what, or who, is asked about. asked: it
    stands at an address that the question names. answers: the answerability of its passage, 0..1, where it holds the
    words that the reader takes for the answer; else 0.
    """

    passage: int
    position: int
    span: Span
    text: str
    similarity: float
    term_share: float
    passage_share: float = 0.0
    paragraph: str = ""
    defines: bool = False
    asked: bool = False
    answers: float = 0.0


@dataclass(frozen=True, slots=True)
class Quote:
    """Neighbouring sentences of one passage, quoted together under one citation.

    lead: index of the sentence that answers; None where it stands in another quote of the same clip. continues: the
    quote belongs to the clip of the quote before it, as where a clip runs over two chunks.
    """

    passage: int
    sentences: tuple[Sentence, ...]
    lead: int | None = 0
    continues: bool = False

    @property
    def span(self) -> Span:
        return self.sentences[0].span[0], self.sentences[-1].span[1]


def leading_clip(quotes: Sequence[Quote]) -> tuple[Quote, ...]:
    """Return the quotes of the first clip."""
    return (*quotes[:1], *takewhile(lambda quote: quote.continues, quotes[1:]))


def directness(sentence: Sentence, rules: QuotationRules) -> float:
    """Return how directly a sentence answers, higher is better."""
    words = rules.similarity_weight * sentence.similarity + (1 - rules.similarity_weight) * sentence.term_share
    return words + rules.passage_weight * sentence.passage_share + rules.definition_bonus * sentence.defines


def _pointedness(sentence: Sentence, rules: QuotationRules) -> float:
    return directness(sentence, rules) + rules.answer_weight * sentence.answers


def nearest_sentences(sentences: Sequence[Sentence], rules: QuotationRules, *, limit: int = 3) -> list[str]:
    """Return the texts of the most direct sentences, at most `limit`, whatever passage they stand in."""
    return [one.text for one in sorted(_stated(sentences), key=lambda one: -directness(one, rules))[:limit]]


def choose_quotes(sentences: Sequence[Sentence], rules: QuotationRules) -> tuple[Quote, ...]:
    """Return the quotes of an answer, what answers first; empty where no sentence is long enough to stand, or none fits
    within the limits together with what takes it back.

    How direct a sentence is decides whether it is quoted. Of those that are, a definition leads where one is asked for,
    else what the reader takes for the answer.
    """
    stated = _stated([one for one in sentences if len(one.text.split()) >= rules.min_words])
    lowest = rules.floor * max((directness(one, rules) for one in stated), default=0.0)
    ranked = sorted(
        (one for one in stated if directness(one, rules) >= lowest),
        key=lambda one: (not one.defines, -_pointedness(one, rules), one.passage, one.position),
    )
    if not ranked:
        return ()
    choice = _Choice(sentences, rules)
    for one in ranked:
        choice.add(one)
    lead, *others = ranked
    choice.go_on(lead, most=rules.max_sentences)
    for one in others:
        choice.go_on(one, most=1)
    return _grouped(choice.taken, [one.passage for one in ranked])


def _stated(sentences: Sequence[Sentence]) -> Sequence[Sentence]:
    """Return the sentences without the questions, which answer nothing; where all ask, as they are."""
    return [one for one in sentences if not is_question(one.text)] or sentences


class _Choice:
    """The sentences taken so far, by passage and position, within the limits."""

    def __init__(self, sentences: Sequence[Sentence], rules: QuotationRules) -> None:
        self.taken: dict[tuple[int, int], Sentence] = {}
        self._at = {(one.passage, one.position): one for one in sentences}
        self._rules = rules

    def add(self, one: Sentence) -> None:
        """Take a sentence, with its neighbour before it if it leans on one, where the limits and novelty allow."""
        before = self._beside(one, -1) if leans_on_neighbour(one.text) else None
        self._take([before, *self._whole(one)] if before else self._whole(one))

    def go_on(self, one: Sentence, *, most: int) -> None:
        """Let a taken sentence finish its thought: take at most so many statements after it that lean on it."""
        for _ in range(most):
            after = self._beside(one, 1)
            if (one.passage, one.position) not in self.taken or not after or not goes_on(after.text):
                return
            self._take(self._whole(after))
            one = after

    def _whole(self, one: Sentence) -> list[Sentence]:
        """Return a sentence with what takes it back, without which it must not be quoted."""
        whole = [one]
        while (after := self._beside(whole[-1], 1)) and takes_back(after.text):
            whole.append(after)
        return whole

    def _beside(self, one: Sentence, step: int) -> Sentence | None:
        other = self._at.get((one.passage, one.position + step))
        return other if other and other.paragraph == one.paragraph else None

    def _take(self, wanted: Sequence[Sentence]) -> None:
        new = [one for one in wanted if (one.passage, one.position) not in self.taken]
        texts = {one.text for one in self.taken.values()}
        passages = [passage for passage, _ in self.taken] + [one.passage for one in new]
        if (
            not any(one.text in texts for one in new)
            and len(passages) <= self._rules.max_sentences
            and all(passages.count(one.passage) <= self._rules.max_per_passage for one in new)
            and len({*passages}) <= self._rules.max_sources
        ):
            self.taken |= {(one.passage, one.position): one for one in new}


def _grouped(taken: dict[tuple[int, int], Sentence], order: list[int]) -> tuple[Quote, ...]:
    """Return runs of neighbouring sentences, sources in the order of their most direct sentence."""
    quotes: list[Quote] = []
    for passage in dict.fromkeys(order):
        run: list[Sentence] = []
        for sentence in sorted((s for (p, _), s in taken.items() if p == passage), key=lambda s: s.position):
            if run and sentence.position != run[-1].position + 1:
                quotes.append(Quote(passage, tuple(run)))
                run = []
            run.append(sentence)
        if run:
            quotes.append(Quote(passage, tuple(run)))
    return tuple(quotes)
