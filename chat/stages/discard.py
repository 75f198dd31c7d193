"""Stage 3: throw out what does not clear the bar, read what is left sentence by sentence, and decide coverage."""

from collections.abc import Sequence
from dataclasses import replace

from chat.calibrations import calibration_for
from chat.domain.coverage import DiscardRules, chance_of_coverage, closeness, keep, refusal_reason, term_share
from chat.domain.evidence import Abstention, Evidence, Reason
from chat.domain.pool import Candidate, Pool
from chat.domain.question import QueryPlan
from chat.domain.quotation import Sentence, says_what_it_is
from corpus.domain.folding import fold
from corpus.domain.sentences import sentence_spans
from corpus.language import lexemes
from corpus.terms import TermStatistics, term_statistics
from lectorium.providers.registry import embedder

# Sentences are read in the best passages only: each costs the embedder a pass.
PASSAGES_READ = 10


def discard(plan: QueryPlan, pool: Pool, rules: DiscardRules) -> Evidence | Abstention:
    """Return the evidence for an answer, or the decision to refuse with the nearest passages."""
    terms = term_statistics(plan.words)
    kept = keep(weigh(plan, pool.candidates, terms), rules)
    addressed = tuple(one for one in kept if one.at_address)
    if plan.address_faults and not addressed:
        return Abstention(Reason.OUTSIDE_CORPUS, kept[: rules.nearest], detail=" ".join(plan.address_faults))
    if addressed and not plan.address_faults:
        kept = addressed
    if not kept:
        return Abstention(Reason.OUTSIDE_CORPUS)
    sentences = read_sentences(plan, kept[:PASSAGES_READ], terms, rules)
    signals = coverage_signals(plan, kept, sentences, terms, rules)
    if addressed:  # an exact address answers itself
        return Evidence(kept, sentences, 1.0, signals)
    calibration = calibration_for(embedder().name)
    coverage = chance_of_coverage(signals, calibration)
    reason = refusal_reason(coverage, calibration)
    if reason:
        return Abstention(reason, kept[: rules.nearest], sentences, coverage, signals)
    return Evidence(kept, sentences, coverage, signals)


def weigh(plan: QueryPlan, candidates: Sequence[Candidate], terms: TermStatistics) -> list[Candidate]:
    """Return the candidates with the share of the question's words that each holds, its title's words included."""
    return [replace(one, term_share=term_share(plan.words, _words_of(one), terms.weight)) for one in candidates]


def read_sentences(
    plan: QueryPlan, kept: Sequence[Candidate], terms: TermStatistics, rules: DiscardRules
) -> tuple[Sentence, ...]:
    """Return every sentence of the kept passages with its similarity and its share of the question's words."""
    spans = [
        (index, position, span)
        for index, one in enumerate(kept)
        for position, span in enumerate(sentence_spans(one.passage.text))
    ]
    texts = [kept[index].passage.text[start:end] for index, _, (start, end) in spans]
    model = embedder()
    similarity = (model.embed_passages(texts) @ model.embed_questions([plan.standalone]).T)[:, 0]
    return tuple(
        Sentence(
            passage=index,
            position=position,
            span=span,
            text=text,
            similarity=float(similarity[row]),
            term_share=term_share(plan.words, set(lexemes(text)), terms.weight),
            passage_share=closeness(kept[index], rules),
            paragraph=kept[index].passage.address_at(span),
            defines=says_what_it_is(plan.term, fold(text)),
        )
        for row, ((index, position, span), text) in enumerate(zip(spans, texts, strict=True))
    )


def coverage_signals(
    plan: QueryPlan,
    kept: Sequence[Candidate],
    sentences: Sequence[Sentence],
    terms: TermStatistics,
    rules: DiscardRules,
) -> dict[str, float]:
    """Return what speaks for coverage, each 0..1 and each the more the better; docs/thresholds.md weighs them."""
    return {
        "closeness": max((closeness(one, rules) for one in kept), default=0.0),
        "sentence_similarity": max((one.similarity for one in sentences), default=0.0),
        "known_share": term_share(plan.words, terms.chunks, terms.weight),
    }


def _words_of(one: Candidate) -> set[str]:
    return set(lexemes(f"{one.passage.title} {one.passage.text}"))
