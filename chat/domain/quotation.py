"""The quotation synthesizer's rules: which sentences of the evidence answer the question, and in what order.

Nothing here writes: every sentence is a span of a passage. The direct ones are quoted, and of these the one that holds
what the cross-encoder takes for the answer leads; a sentence that leans on its neighbour ("He then…") brings the
neighbour along; the rest is grouped by source so that it reads well.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chat.domain.definitions import is_question
from corpus.domain.passage import Span

_DANGLING = re.compile(
    r"^[\W_]*(he|she|it|its|they|them|his|her|hers|their|theirs|this|that|these|those|such|but|and|so|yet|then|"
    r"therefore|thus|hence|however|for|or|nor|also|moreover|besides|again|here|there|the (former|latter|same|other))\b",
    re.I,
)


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
    """Neighbouring sentences of one passage, quoted together under one citation."""

    passage: int
    sentences: tuple[Sentence, ...]

    @property
    def span(self) -> Span:
        return self.sentences[0].span[0], self.sentences[-1].span[1]


def directness(sentence: Sentence, rules: QuotationRules) -> float:
    """Return how directly a sentence answers, higher is better."""
    words = rules.similarity_weight * sentence.similarity + (1 - rules.similarity_weight) * sentence.term_share
    return words + rules.passage_weight * sentence.passage_share + rules.definition_bonus * sentence.defines


def _pointedness(sentence: Sentence, rules: QuotationRules) -> float:
    return directness(sentence, rules) + rules.answer_weight * sentence.answers


def nearest_sentences(sentences: Sequence[Sentence], rules: QuotationRules, *, limit: int = 3) -> list[str]:
    """Return the texts of the most direct sentences, at most `limit`, whatever passage they stand in."""
    return [one.text for one in sorted(_stated(sentences), key=lambda one: -directness(one, rules))[:limit]]


def leans_on_neighbour(text: str) -> bool:
    """Does the sentence begin with a word that points back?"""
    return bool(_DANGLING.match(text))


def choose_quotes(sentences: Sequence[Sentence], rules: QuotationRules) -> tuple[Quote, ...]:
    """Return the quotes of an answer, what answers first; empty where no sentence is long enough to stand.

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
    at = {(one.passage, one.position): one for one in sentences}
    chosen: dict[tuple[int, int], Sentence] = {}
    for one in ranked:
        _add(one, at, chosen, rules)
    _continue(ranked[0], at, chosen, rules)
    return _grouped(chosen, [one.passage for one in ranked])


def _stated(sentences: Sequence[Sentence]) -> Sequence[Sentence]:
    """Return the sentences without the questions, which answer nothing; where all ask, as they are."""
    return [one for one in sentences if not is_question(one.text)] or sentences


def _add(
    one: Sentence, at: dict[tuple[int, int], Sentence], chosen: dict[tuple[int, int], Sentence], rules: QuotationRules
) -> None:
    """Take a sentence, with its neighbour before it if it leans on one, where the limits and novelty allow."""
    wanted = [one]
    before = at.get((one.passage, one.position - 1))
    if before and leans_on_neighbour(one.text) and before.paragraph == one.paragraph:
        wanted.insert(0, before)
    new = [sentence for sentence in wanted if (sentence.passage, sentence.position) not in chosen]
    texts = {sentence.text for sentence in chosen.values()}
    passages = {passage for passage, _ in chosen}
    in_passage = sum(passage == one.passage for passage, _ in chosen)
    if (
        not new
        or any(sentence.text in texts for sentence in new)
        or len(chosen) + len(new) > rules.max_sentences
        or in_passage + len(new) > rules.max_per_passage
        or len(passages | {one.passage}) > rules.max_sources
    ):
        return
    chosen.update({(sentence.passage, sentence.position): sentence for sentence in new})


def _continue(
    lead: Sentence, at: dict[tuple[int, int], Sentence], chosen: dict[tuple[int, int], Sentence], rules: QuotationRules
) -> None:
    """Let the lead finish its thought: take the statements after it that lean on it, while there is room."""
    position = lead.position + 1
    while (after := at.get((lead.passage, position))) and _goes_on(after.text):
        in_passage = sum(passage == lead.passage for passage, _ in chosen)
        full = len(chosen) >= rules.max_sentences or in_passage >= rules.max_per_passage
        if full or after.paragraph != lead.paragraph:
            return
        chosen[lead.passage, position] = after
        position += 1


def _goes_on(text: str) -> bool:
    return leans_on_neighbour(text) and not is_question(text)


def _grouped(chosen: dict[tuple[int, int], Sentence], order: list[int]) -> tuple[Quote, ...]:
    """Return runs of neighbouring sentences, sources in the order of their most direct sentence."""
    quotes: list[Quote] = []
    for passage in dict.fromkeys(order):
        run: list[Sentence] = []
        for sentence in sorted((s for (p, _), s in chosen.items() if p == passage), key=lambda s: s.position):
            if run and sentence.position != run[-1].position + 1:
                quotes.append(Quote(passage, tuple(run)))
                run = []
            run.append(sentence)
        if run:
            quotes.append(Quote(passage, tuple(run)))
    return tuple(quotes)
