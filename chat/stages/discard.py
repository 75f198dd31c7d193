"""Stage 3: throw out what does not clear the bar, read what is left sentence by sentence, and decide coverage."""

from collections.abc import Sequence

from chat.calibrations import calibration_for
from chat.domain.coverage import DiscardRules, chance_of_coverage, keep, refusal_reason, term_share
from chat.domain.evidence import Abstention, Evidence, Reason
from chat.domain.pool import Candidate, Pool
from chat.domain.question import QueryPlan
from chat.domain.quotation import Sentence
from corpus.domain.sentences import sentence_spans
from corpus.language import lexemes
from corpus.terms import TermStatistics, term_statistics
from lectorium.providers.registry import embedder

# Sentences are read in the best passages only: each costs the embedder a pass.
PASSAGES_READ = 10


def discard(plan: QueryPlan, pool: Pool, rules: DiscardRules) -> Evidence | Abstention:
    """Return the evidence for an answer, or the decision to refuse with the nearest passages."""
    kept = keep(pool.candidates, rules, plan.wanted_kinds)
    addressed = tuple(one for one in kept if one.at_address)
    if plan.address_faults and not addressed:
        return Abstention(Reason.OUTSIDE_CORPUS, kept[: rules.nearest], detail=" ".join(plan.address_faults))
    if addressed and not plan.address_faults:
        kept = addressed
    if not kept:
        return Abstention(Reason.OUTSIDE_CORPUS)
    terms = term_statistics(plan.words)
    sentences = read_sentences(plan, kept[:PASSAGES_READ], terms)
    signals = coverage_signals(plan, kept, sentences, terms)
    if addressed:  # an exact address answers itself
        return Evidence(kept, sentences, 1.0, signals)
    calibration = calibration_for(embedder().name)
    coverage = chance_of_coverage(signals, calibration)
    reason = refusal_reason(coverage, calibration)
    if reason:
        return Abstention(reason, kept[: rules.nearest], coverage, signals)
    return Evidence(kept, sentences, coverage, signals)


def read_sentences(plan: QueryPlan, kept: Sequence[Candidate], terms: TermStatistics) -> tuple[Sentence, ...]:
    """Return every sentence of the kept passages with its similarity and its share of the question's words."""
    spans = [
        (index, position, span)
        for index, one in enumerate(kept)
        for position, span in enumerate(sentence_spans(one.passage.text))
    ]
    texts = [kept[index].passage.text[start:end] for index, _, (start, end) in spans]
    model = embedder()
    similarity = (model.embed_passages(texts) @ model.embed_questions([plan.standalone]).T)[:, 0]
    best_fused = max(one.fused for one in kept)
    return tuple(
        Sentence(
            passage=index,
            position=position,
            span=span,
            text=text,
            similarity=float(similarity[row]),
            term_share=term_share(plan.words, set(lexemes(text)), terms.weight),
            passage_share=kept[index].fused / best_fused,
            paragraph=kept[index].passage.address_at(span),
        )
        for row, ((index, position, span), text) in enumerate(zip(spans, texts, strict=True))
    )


def coverage_signals(
    plan: QueryPlan, kept: Sequence[Candidate], sentences: Sequence[Sentence], terms: TermStatistics
) -> dict[str, float]:
    """Return what speaks for and against coverage; docs/thresholds.md says what each is worth."""
    held = [set(lexemes(f"{one.passage.title} {one.passage.text}")) for one in kept]
    shares = [term_share(plan.words, words, terms.weight) for words in held]
    everything = set().union(*held)
    return {
        "similarity": max((one.similarity or 0.0 for one in kept), default=0.0),
        "passage_share": max(shares, default=0.0),
        "pool_share": term_share(plan.words, everything, terms.weight),
        "sentence_similarity": max((one.similarity for one in sentences), default=0.0),
        "sentence_share": max((one.term_share for one in sentences), default=0.0),
        "both": max(((one.similarity or 0.0) * share for one, share in zip(kept, shares, strict=True)), default=0.0),
        "known_share": term_share(plan.words, terms.chunks, terms.weight),
    }
