"""Stage 3, second half: keep the best candidates, read them sentence by sentence, and decide whether they answer."""

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np

from chat.answering.calibrations import calibration_of
from chat.answering.domain.clip_order import SIGNAL, JudgedClips, order_clips
from chat.answering.domain.english import metadata_sentences
from chat.answering.domain.evidence.answer_types import asks_for_story, fits_question
from chat.answering.domain.evidence.continuation import closest_near_thread, without_shown
from chat.answering.domain.evidence.coverage import Calibration, chance_of_coverage, refusal_reason, term_share
from chat.answering.domain.evidence.definitions import says_what_it_is, says_who_it_is
from chat.answering.domain.evidence.evidence import Abstention, Evidence, Reason
from chat.answering.domain.evidence.pool import Candidate, Pool
from chat.answering.domain.evidence.premise import names_share, takes_names_for_granted
from chat.answering.domain.evidence.quotation import EvidenceSentence, QuotationRules, rivals
from chat.answering.domain.evidence.selection import DiscardRules, Selection, closeness, logistic, select
from chat.answering.domain.question import QueryPlan
from chat.answering.domain.terms import evidence_terms
from chat.answering.domain.words import words_in
from corpus.domain.addresses.address import address_keys
from corpus.domain.instructions import addresses_a_machine
from corpus.domain.text.folding import fold
from corpus.domain.text.sentences import sentence_spans
from corpus.indexing.terms import TermStatistics, term_statistics
from corpus.language import lexeme, lexemes
from corpus.models import EmbeddingSpace
from corpus.selectors import space_embedder
from lectorium.providers.memo import Memo
from lectorium.providers.protocols import Embedder, Reader, Vector
from lectorium.providers.registry import clip_reader

ANSWERS = 0.5  # even odds on the reader's calibrated scale
SENTENCES = 8192  # 13 MB of vectors: a conversation, and the look for its next questions, read the same passages again

_sentences: WeakKeyDictionary[Embedder, Memo[str, Vector]] = WeakKeyDictionary()


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
    selection = select_candidates(plan, pool, rules)
    kept, cut = selection.kept, selection.cut
    addressed = sum(one.at_address for one in kept)  # they lead
    if plan.address_faults and not (addressed and plan.address_keys):  # what is close is not what was asked for
        return Abstention(Reason.OUTSIDE_CORPUS, kept, detail=" ".join(plan.address_faults), cut=cut)
    if not kept:
        return Abstention(Reason.OUTSIDE_CORPUS, cut=cut)
    terms = term_statistics(plan.words, plan.alternatives)
    beside = 0 if plan.only_addresses else addressed  # what is asked for takes no place from what is asked about it
    read = read_sentences(plan, kept[: beside + rules.by_sentence], terms, rules, space_embedder(space))
    sentences = without_shown(plan, read)
    signals = coverage_signals(plan, kept, sentences, terms, rules)
    story = asks_for_story(plan.standalone)
    if addressed == len(kept) or is_answered_by_an_editor(pool, kept):
        return Evidence(kept, sentences, 1.0, signals, cut, is_story=story)
    calibration = calibration or calibration_of(space)
    judged = JudgedClips()
    if rules.judged and (judge := clip_reader()) and (rules.reads_clips or calibration.asks(SIGNAL)):
        judged = judge_clips(plan.standalone, sentences, judge, rules)
        signals[SIGNAL] = judged.answerability
        if not calibration.asks(SIGNAL):  # no passage was read whole, so a gate fitted without clips goes by them too
            signals["answerability"] = judged.answerability
    coverage = chance_of_coverage(signals, calibration)
    is_close = calibration.is_close(coverage) and may_show_closest(plan, sentences)
    evidence = Evidence(kept, sentences, coverage, signals, cut, calibration.answer_from, is_close, story, judged.clips)
    reason = refusal_reason(coverage, calibration)
    if reason is None:
        return evidence
    thin = evidence if reason is Reason.UNANSWERABLE else None
    abstention = Abstention(
        reason, kept, sentences, coverage, signals,
        cut=cut, bar=evidence.bar, thin=thin, addressed=evidence.addressed, closest=thin if is_close else None,
    )  # fmt: skip
    return closest_near_thread(plan, abstention, evidence)


def judge_clips(
    question: str, sentences: Sequence[EvidenceSentence], reader: Reader, rules: DiscardRules
) -> JudgedClips:
    """Return the best clips in the order of a reader that reads each of them with the question."""
    quoting = QuotationRules(judged=rules.judged)
    clips = rivals(sentences, quoting)
    readings = reader.read(question, [" ".join(sentence.text for sentence in clip.sentences) for clip in clips])
    relevance, answerability = (
        [reading.relevance for reading in readings],
        [reading.answerability for reading in readings],
    )
    return order_clips(clips, relevance, answerability, quoting)


def may_show_closest(plan: QueryPlan, sentences: Sequence[EvidenceSentence]) -> bool:
    """May a closest passage be shown? Not for an address that cannot be found, nor for an injection."""
    return bool(sentences) and not plan.address_faults and "injection" not in plan.flags


def select_candidates(plan: QueryPlan, pool: Pool, rules: DiscardRules) -> Selection:
    """Return what is kept of a pool that was read; where only addresses are asked for, what stands there alone."""
    asked = f" {fold(plan.standalone)} "
    found = select(
        pool.candidates, rules, wanted=plan.wanted_kinds, is_named=lambda one: _says(asked, fold(one.passage.title))
    )
    addressed = tuple(one for one in found.kept if one.at_address)
    if not addressed or not plan.only_addresses:
        return found
    elsewhere = {one.passage.chunk_id: "address" for one in found.kept if not one.at_address}
    return Selection(addressed, {**found.cut, **elsewhere})


def _says(asked: str, title: str) -> bool:
    """Is the folded title said, as whole words? One that folds to nothing is in every question, and names no source."""
    return bool(title) and f" {title} " in asked


def is_answered_by_an_editor(pool: Pool, kept: Sequence[Candidate]) -> bool:
    """Do references stand in for the gate: an accepted pin's always, a strong note's where one of them answers?

    Source: shared/design/pipeline.md, stage 3 (rules 4 and 5 skip pins; refs of a strong note skip rule 4 alone).
    """
    curated = [candidate for candidate in kept if candidate.is_curated]
    kinds = {match.entry.kind for match in pool.curated if match.skips_sweep}
    if not curated or not kinds:
        return False
    return "pin" in kinds or any((candidate.answerability or 0.0) >= ANSWERS for candidate in curated)


def read_sentences(
    plan: QueryPlan, kept: Sequence[Candidate], terms: TermStatistics, rules: DiscardRules, model: Embedder
) -> tuple[EvidenceSentence, ...]:
    """Return every sentence of the kept passages with its similarity and its share of the question's words.

    A sentence that gives orders to a machine is no evidence, and never quoted. Only sentences of passages without
    stored similarities are embedded here.
    """
    split = [sentence_spans(candidate.passage.text) for candidate in kept]
    spans = [
        (index, position, span)
        for index, one in enumerate(kept)
        for position, span in enumerate(split[index])
        if not addresses_a_machine(one.passage.text[slice(*span)])
    ]
    texts = [kept[index].passage.text[start:end] for index, _, (start, end) in spans]
    asked = frozenset(plan.address_keys)
    # Another number of them was stored where sentences were split by other rules than today's.
    stored = [
        one.sentence_similarities if len(one.sentence_similarities) == len(of_one) else ()
        for one, of_one in zip(kept, split, strict=True)
    ]
    unknown = [text for (index, _, _), text in zip(spans, texts, strict=True) if not stored[index]]
    embedded = iter(_similarities(unknown, plan.standalone, model))
    similarity = [stored[index][position] if stored[index] else next(embedded) for index, position, _ in spans]
    return tuple(
        EvidenceSentence(
            passage=index,
            position=position,
            span=span,
            text=text,
            similarity=similarity[row],
            term_share=term_share(
                plan.words, set(lexemes(text, kept[index].passage.language)), terms.weight, plan.alternatives
            ),
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
