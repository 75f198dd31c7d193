"""Reads the kept passages sentence by sentence."""

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np

from chat.answering.domain.evidence.answer_types import fits_question
from chat.answering.domain.evidence.definitions import says_what_it_is, says_who_it_is
from chat.answering.domain.evidence.echo import echo_spans
from chat.answering.domain.evidence.pool import Candidate
from chat.answering.domain.evidence.quotation import EvidenceSentence
from chat.answering.domain.evidence.selection import DiscardRules, closeness
from chat.answering.domain.question import QueryPlan
from corpus.domain.addresses.address import address_keys
from corpus.domain.instructions import order_spans
from corpus.domain.text.sentences import sentence_spans
from lectorium.providers.memo import Memo
from lectorium.providers.protocols import Embedder, Vector

SENTENCES = 8192  # 13 MB of vectors: a conversation, and the look for its next questions, read the same passages again

_sentences: WeakKeyDictionary[Embedder, Memo[str, Vector]] = WeakKeyDictionary()


def read_sentences(
    plan: QueryPlan, kept: Sequence[Candidate], rules: DiscardRules, model: Embedder
) -> tuple[EvidenceSentence, ...]:
    """Return every sentence of the kept passages with its similarity.

    A sentence that gives orders to a machine, stands in code that it orders, or says the question again is no evidence
    and never quoted. Only sentences of passages without stored similarities are embedded here.
    """
    split = [sentence_spans(candidate.passage.text) for candidate in kept]
    left_out = [
        [*order_spans(candidate.passage.text), *echo_spans(candidate.passage.text, plan.asked)] for candidate in kept
    ]
    spans = [
        (index, position, span)
        for index in range(len(kept))
        for position, span in enumerate(split[index])
        if not any(start < span[1] and span[0] < end for start, end in left_out[index])
    ]
    texts = [kept[index].passage.text[start:end] for index, _, (start, end) in spans]
    asked = frozenset(plan.address_keys)
    # Another number of them was stored where sentences were split by other rules than today's.
    stored = [
        candidate.sentence_similarities if len(candidate.sentence_similarities) == len(sentences) else ()
        for candidate, sentences in zip(kept, split, strict=True)
    ]
    unknown = [text for (index, _, _), text in zip(spans, texts, strict=True) if not stored[index]]
    embedded = iter(_similarities(unknown, plan.sought, model))
    similarity = [stored[index][position] if stored[index] else next(embedded) for index, position, _ in spans]
    return tuple(
        EvidenceSentence(
            passage=index,
            position=position,
            span=span,
            text=text,
            similarity=similarity[row],
            passage_share=_standing(kept[index], rules),
            paragraph=kept[index].passage.address_at(span),
            defines=says_what_it_is(plan.term, text) or says_who_it_is(plan.person, text),
            asked=kept[index].at_address and not asked.isdisjoint(address_keys(kept[index].passage.address_at(span))),
            answers=kept[index].answers_within(span),
            fits=fits_question(plan.standalone, text),
        )
        for row, ((index, position, span), text) in enumerate(zip(spans, texts, strict=True))
    )


def _standing(candidate: Candidate, rules: DiscardRules) -> float:
    """Return how well a passage fits the question among those read, 0..1; by its closeness where it was not read."""
    return closeness(candidate, rules) if candidate.rerank_score is None else candidate.rerank_score


def _similarities(texts: Sequence[str], question: str, model: Embedder) -> list[float]:
    """Return the cosine of each sentence with the question; vectors of sentences that were read lately are known."""
    if not texts:
        return []
    known = _sentences.setdefault(model, Memo(SENTENCES))
    vectors = np.stack(known.of(texts, lambda new: [*model.embed_passages(new)]))
    return [float(cosine) for cosine in vectors @ model.embed_questions([question])[0]]
