"""Stage 3, second half: keep the best candidates, read them sentence by sentence, and decide whether they answer."""

from collections.abc import Mapping, Sequence

from chat.answering.calibrations import calibration_of
from chat.answering.domain.clip_order import FIRST, JudgedClips
from chat.answering.domain.english import metadata_sentences
from chat.answering.domain.evidence.continuation import closest_near_thread, unsure_in_thread, without_shown
from chat.answering.domain.evidence.coverage import (
    Calibration,
    chance_of_coverage,
    chance_of_subject,
    refusal_reason,
    term_share,
)
from chat.answering.domain.evidence.evidence import NEAR_MISSES, Abstention, Evidence, Reason
from chat.answering.domain.evidence.pinned import PinnedRules, pinned_clips
from chat.answering.domain.evidence.pool import Candidate, Pool
from chat.answering.domain.evidence.premise import names_share, takes_names_for_granted
from chat.answering.domain.evidence.quotation import EvidenceSentence, QuotationRules, rivals
from chat.answering.domain.evidence.selection import DiscardRules, Selection, closeness, logistic, select
from chat.answering.domain.question import QueryPlan
from chat.answering.domain.refusals import UNREAD
from chat.answering.domain.terms import evidence_terms
from chat.answering.domain.words import words_in
from chat.answering.passages.judge import ANSWERS, judge_clips
from chat.answering.passages.sentences import read_sentences
from corpus.domain.text.folding import fold
from corpus.indexing.terms import TermStatistics, term_statistics
from corpus.language import lexeme
from corpus.models import EmbeddingSpace
from corpus.selectors import space_embedder
from lectorium.providers.registry import clip_reader


def discard_candidates(
    plan: QueryPlan,
    pool: Pool,
    rules: DiscardRules,
    space: EmbeddingSpace | None,
    calibration: Calibration | None = None,
) -> Evidence | Abstention:
    """Return the evidence for an answer, or the decision to refuse with the nearest passages.

    `space` is the one the pool was found in: its model reads the sentences, and its calibration decides unless another
    is given.
    """
    if pinned := pinned_evidence(plan, pool, rules, space):
        return pinned
    selection = select_candidates(plan, pool, rules)
    kept, cut = selection.kept, selection.cut
    addressed = sum(candidate.at_address for candidate in kept)  # they lead
    if plan.address_faults and not (addressed and plan.address_keys):  # what is close is not what was asked for
        return Abstention(Reason.OUTSIDE_CORPUS, kept, detail=" ".join(plan.address_faults), cut=cut)
    if not kept:
        return Abstention(Reason.OUTSIDE_CORPUS, cut=cut)
    terms = term_statistics(plan.words, plan.alternatives)
    beside = 0 if plan.only_addresses else addressed  # what is asked for takes no place from what is asked about it
    read = read_sentences(plan, kept[: beside + rules.by_sentence], rules, space_embedder(space))
    sentences = without_shown(plan, read)
    signals = coverage_signals(plan, kept, sentences, terms, rules)
    if addressed == len(kept) or is_answered_by_an_editor(pool, kept):
        return Evidence(kept, sentences, 1.0, signals, cut, is_story=bool(plan.tale))
    calibration = calibration or calibration_of(space)
    if plan.unread:
        return by_closeness(plan, selection, sentences, {**signals, "cosine": pool.nearest_cosine}, calibration)
    judged = JudgedClips()
    if rules.judged and (reader := clip_reader()) and (rules.reads_clips or calibration.asks(FIRST)):
        judged = judge_clips(plan, kept, sentences, terms, reader, rules, (space, pool.scale))
        signals |= judged.signals
        if not calibration.asks(FIRST):  # no passage was read whole, so a gate fitted without clips goes by them too
            signals["answerability"] = judged.answerability
    return by_chances(plan, selection, sentences, signals, judged, calibration)


def by_chances(
    plan: QueryPlan,
    selection: Selection,
    sentences: tuple[EvidenceSentence, ...],
    signals: Mapping[str, float],
    judged: JudgedClips,
    calibration: Calibration,
) -> Evidence | Abstention:
    """Return the gate's decision by its two chances: that this is answered, and that the corpus speaks of it."""
    coverage, subject = chance_of_coverage(signals, calibration), chance_of_subject(signals, calibration)
    is_close = calibration.is_close(subject) and may_show_closest(plan, sentences)
    evidence = Evidence(
        selection.kept, sentences, coverage, signals, selection.cut, calibration.answer_from, is_close,
        bool(plan.tale), judged.clips, subject=subject, is_likely=calibration.is_likely(coverage),
    )  # fmt: skip
    reason = refusal_reason(coverage, subject, signals["names_share"], calibration)
    reason = reason or unsure_in_thread(plan, judged.clips)
    if reason is None:
        return evidence
    thin = evidence if reason in NEAR_MISSES else None
    abstention = Abstention.of(evidence, reason, thin=thin, closest=thin if is_close else None)
    return closest_near_thread(plan, abstention, evidence)


def by_closeness(
    plan: QueryPlan,
    selection: Selection,
    sentences: tuple[EvidenceSentence, ...],
    signals: Mapping[str, float],
    calibration: Calibration,
) -> Abstention:
    """Return the decision on a question that no reader can read: closest passages where one is close, never an answer.

    signals: with the "cosine" of the closest sentence.
    """
    is_close = calibration.is_close_in(plan.unread, signals["cosine"]) and may_show_closest(plan, sentences)
    evidence = Evidence(
        selection.kept, sentences, 0.0, signals, selection.cut, calibration.answer_from, is_close, bool(plan.tale),
        rivals(sentences, QuotationRules()), subject=0.0,
    )  # fmt: skip
    shown = evidence if is_close else None
    abstention = Abstention.of(evidence, Reason.UNANSWERABLE, detail=UNREAD, thin=shown, closest=shown)
    return closest_near_thread(plan, abstention, evidence)


def pinned_evidence(plan: QueryPlan, pool: Pool, rules: DiscardRules, space: EmbeddingSpace | None) -> Evidence | None:
    """Return the whole set of the accepted pin as the evidence; None without a pin that gives something to quote.

    Nothing is ranked or capped: the editors chose the passages and their order.
    """
    pin = next((match for match in pool.curated if match.entry.kind == "pin" and match.skips_sweep), None)
    if pin is None:
        return None
    of_chunk = {candidate.passage.chunk_id: candidate for candidate in pool.candidates}
    chosen = tuple(of_chunk[chunk_id] for chunk_id in pin.chunks if chunk_id in of_chunk)
    terms = term_statistics(plan.words, plan.alternatives)
    sentences = read_sentences(plan, chosen, rules, space_embedder(space))
    clips = pinned_clips(pin.cited, [candidate.passage for candidate in chosen], sentences, PinnedRules())
    if not clips:
        return None
    cut = {chunk_id: "pin" for chunk_id in of_chunk if chunk_id not in pin.chunks}
    signals = coverage_signals(plan, chosen, sentences, terms, rules)
    return Evidence(chosen, sentences, 1.0, signals, cut, pinned=clips, framing=pin.entry.framing)


def may_show_closest(plan: QueryPlan, sentences: Sequence[EvidenceSentence]) -> bool:
    """May a closest passage be shown? Not for an address that cannot be found, nor for an injection."""
    return bool(sentences) and not plan.address_faults and "injection" not in plan.flags


def select_candidates(plan: QueryPlan, pool: Pool, rules: DiscardRules) -> Selection:
    """Return what is kept of a pool that was read; where only addresses are asked for, what stands there alone."""
    asked = f" {fold(plan.standalone)} "
    found = select(
        pool.candidates,
        rules,
        wanted=plan.wanted_kinds,
        is_named=lambda candidate: _says(asked, fold(candidate.passage.title)),
    )
    addressed = tuple(candidate for candidate in found.kept if candidate.at_address)
    if not addressed or not plan.only_addresses:
        return found
    elsewhere = {candidate.passage.chunk_id: "address" for candidate in found.kept if not candidate.at_address}
    return Selection(addressed, {**found.cut, **elsewhere})


def _says(asked: str, title: str) -> bool:
    """Is the folded title said, as whole words? One that folds to nothing is in every question, and names no source."""
    return bool(title) and f" {title} " in asked


def is_answered_by_an_editor(pool: Pool, kept: Sequence[Candidate]) -> bool:
    """Do references stand in for the gate: a strong note's where one of them answers?

    Source: shared/design/pipeline.md, stage 3 (rules 4 and 5 skip pins; refs of a strong note skip rule 4 alone).
    """
    curated = [candidate for candidate in kept if candidate.is_curated]
    is_strong = any(match.skips_sweep for match in pool.curated)
    return is_strong and any((candidate.answerability or 0.0) >= ANSWERS for candidate in curated)


def coverage_signals(
    plan: QueryPlan,
    kept: Sequence[Candidate],
    sentences: Sequence[EvidenceSentence],
    terms: TermStatistics,
    rules: DiscardRules,
) -> dict[str, float]:
    """Return what speaks for coverage, each 0..1 and each the more the better; docs/thresholds.md weighs them."""
    return {
        "closeness": max((closeness(candidate, rules) for candidate in kept), default=0.0),
        "sentence_similarity": max((sentence.similarity for sentence in sentences), default=0.0),
        "known_share": term_share(plan.words, terms.chunks, terms.weight, plan.alternatives),
        "answerability": max((candidate.answerability or 0.0 for candidate in kept), default=0.0),
        "relevance": logistic(
            max((candidate.relevance or 0.0 for candidate in kept if candidate.relevance is not None), default=-60.0)
        ),
        "names_share": _names_share(plan, kept[: rules.by_sentence]),
    }


def _names_share(plan: QueryPlan, read: Sequence[Candidate]) -> float:
    """Return how much of what the question names one of the passages holds, with what is known of it."""
    asked = words_in(plan.standalone, lexeme)
    if not takes_names_for_granted(asked):
        return 1.0  # most questions: no passage need be read for this
    passages = (candidate.passage for candidate in read)
    return names_share(
        asked,
        (
            evidence_terms([words_in(passage.text, lexeme), words_in(metadata_sentences(passage), lexeme)])
            for passage in passages
        ),
    )
