"""Stage 3, first half: a cross-encoder reads the closest candidates, relevance and answer in one pass."""

import logging
from collections.abc import Sequence
from dataclasses import replace

from chat.answering.domain.evidence.coverage import term_share
from chat.answering.domain.evidence.echo import without_echoes
from chat.answering.domain.evidence.pool import Candidate, Pool
from chat.answering.domain.evidence.selection import DiscardRules, closeness, ranked, ranked_by_closeness, to_read
from chat.answering.domain.question import QueryPlan
from chat.answering.passages.copies import without_copied_passages
from corpus.domain.text.sentences import is_question, sentence_spans
from corpus.indexing.terms import TermStatistics, term_statistics
from corpus.language import lexemes
from lectorium.providers import registry
from lectorium.providers.errors import ProviderError
from lectorium.providers.protocols import Reading, Reranker

log = logging.getLogger(__name__)


def read_candidates(plan: QueryPlan, pool: Pool, rules: DiscardRules) -> Pool:
    """Return the pool with every candidate's share of the question's words and, where it was read, its scores.

    Candidates that an earlier look has read are not read again, unless another reranker orders them: its scores compare
    within one call only, and it may fail in one look and not in the next. Where it fails the reader's relevance orders.
    Where the big reader will judge clips (`reads_clips`), or no reader can read the question, nothing is read here and
    closeness orders.
    """
    candidates = with_relevance(plan, pool.candidates)
    nearest = sorted(candidates, key=lambda candidate: -closeness(candidate, rules))
    pool = without_copied_passages(pool, nearest, plan.asked)
    left = pool.chunk_ids
    candidates = [candidate for candidate in candidates if candidate.passage.chunk_id in left]
    reranker = registry.reranker()
    if plan.unread or (rules.reads_clips and not reranker and registry.clip_reader()):
        return replace(pool, candidates=tuple(ranked_by_closeness(candidates, rules)))
    chosen = [candidate for candidate in to_read(candidates, rules) if candidate.relevance is None]
    if reranker:
        chosen += [candidate for candidate in candidates if candidate.relevance is not None]
    texts = [without_echoes(candidate.passage.text, plan.asked) for candidate in chosen]
    readings = registry.reader().read(plan.sought, texts)
    relevance = _relevance(plan.sought, texts, readings, reranker)
    found = {
        candidate.passage.chunk_id: _with(candidate, reading, score)
        for candidate, reading, score in zip(chosen, readings, relevance, strict=True)
    }
    return replace(
        pool,
        candidates=tuple(ranked([found.get(candidate.passage.chunk_id, candidate) for candidate in candidates], rules)),
    )


def with_relevance(plan: QueryPlan, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates with their share of the question's words; those that were read have theirs."""
    terms = term_statistics(plan.words, plan.alternatives)
    return [
        candidate if candidate.relevance is not None else _with_share(candidate, plan, terms)
        for candidate in candidates
    ]


def _relevance(
    question: str, texts: Sequence[str], readings: Sequence[Reading], reranker: Reranker | None
) -> Sequence[float]:
    if reranker and texts:
        try:
            return reranker.rerank(question, texts)
        except ProviderError as error:
            log.warning("passages are ordered without the reranker %s: %s", reranker.name, error)
    return [reading.relevance for reading in readings]


def _with_share(candidate: Candidate, plan: QueryPlan, terms: TermStatistics) -> Candidate:
    text = without_echoes(candidate.passage.text, plan.asked)
    held = set(lexemes(f"{candidate.passage.title} {text}", candidate.passage.language))
    share = term_share(plan.words, held, terms.weight, plan.alternatives)
    return replace(candidate, term_share=share, statement_similarity=_statement_similarity(candidate, text))


def _statement_similarity(candidate: Candidate, without: str) -> float | None:
    """Return the best cosine of a sentence that states something; None where no sentence's is stored.

    without: its text with blanks for what says the question again.
    """
    texts = (without[start:end] for start, end in sentence_spans(candidate.passage.text))
    stated = zip(texts, candidate.sentence_similarities, strict=False)
    said = [similarity for text, similarity in stated if text.strip() and not is_question(text)]
    return max(said, default=max(candidate.sentence_similarities, default=None))


def _with(candidate: Candidate, reading: Reading, relevance: float) -> Candidate:
    return replace(candidate, relevance=relevance, answerability=reading.answerability, answer_span=reading.span)
