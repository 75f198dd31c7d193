"""Turns the stages' values into what is shown and recorded: places with their links, refusals, traces."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any
from uuid import UUID

from chat.answering.domain.events import Refusal
from chat.answering.domain.evidence.conflicts import KnownFact, KnownFacts
from chat.answering.domain.evidence.curated_effect import answering_pin, effect_of
from chat.answering.domain.evidence.evidence import Abstention, Evidence
from chat.answering.domain.evidence.pool import Candidate, FusedHit, Pool
from chat.answering.domain.evidence.premise import FLAG as FALSE_PREMISE
from chat.answering.domain.evidence.quotation import EvidenceSentence, QuotationRules, directness
from chat.answering.domain.evidence.selection import DiscardRules
from chat.answering.domain.question import QueryPlan
from chat.answering.domain.refusals import EMPTY_CORPUS, MESSAGES, NEXT_STEPS
from chat.answering.domain.viewer import Viewer
from corpus.catalogue.links import media_url, place_url
from corpus.domain.passage import Passage, Span
from corpus.domain.text.folding import fold
from corpus.domain.text.sentences import is_question, sentence_spans
from corpus.selectors import corpus_size

NEAREST_CHARS = 280


def describe_search(viewer: Viewer) -> str:
    """The status of a search, e.g. "searching 118 lectures and 31,102 verses"."""
    counts = source_counts(viewer)
    chosen = ", only what you chose of them" if viewer.narrowed_to else ""
    return f"searching {counts}{chosen}" if counts else EMPTY_CORPUS


def source_counts(viewer: Viewer) -> str:
    """The sources that the viewer may see, e.g. "118 lectures and 31,102 verses"; "" for none."""
    size = corpus_size(viewer.collections)
    return " and ".join(
        f"{number:,} {name if number != 1 else name.removesuffix('s')}"
        for number, name in (
            (size.lectures, "lectures"),
            (size.verses, "verses"),
            (size.library_passages, "library passages"),
        )
        if number
    )


def describe_reading(passages: int) -> str:
    """Return what is being read, e.g. "reading 40 passages"."""
    return f"reading {passages} passage" if passages == 1 else f"reading {passages} passages"


def source_item(passage: Passage, span: Span) -> dict[str, Any]:
    """Return where a quote stands, without the quote."""
    seconds = passage.seconds_at(span)
    return {
        "kind": passage.kind,
        "address": passage.address_at(span),
        "title": passage.title,
        "speaker": passage.speaker,
        "date": passage.date,
        "place": passage.place,
        "start": seconds[0] if seconds else None,
        "end": seconds[1] if seconds else None,
        "url": place_url(passage, span),
        "media": media_url(passage),
        "language": passage.language,
    }


def refusal_event(abstention: Abstention, detail: str) -> Refusal:
    """Return the refusal in words, with up to three nearest moments: related, not an answer."""
    return Refusal(
        reason=abstention.reason.value,
        message=abstention.detail or MESSAGES[abstention.reason],
        searched=detail.removeprefix("searching "),
        next_step=NEXT_STEPS[abstention.reason],
        nearest=tuple(islice(nearest_moments(abstention), DiscardRules().nearest)),
    )


def nearest_moments(abstention: Abstention) -> Iterator[dict[str, Any]]:
    """Yield the nearest sentence of each passage, without repeats of a text or an address."""
    quotes: set[str] = set()
    addresses: set[str] = set()
    for index, candidate in enumerate(abstention.nearest):
        read = [sentence for sentence in abstention.sentences if sentence.passage == index]
        span = _nearest_span(candidate.passage, read)
        if span is None:
            continue
        quote, item = candidate.passage.text[slice(*span)], source_item(candidate.passage, span)
        if fold(quote) not in quotes and item["address"] not in addresses:
            yield {**item, "quote": quote}
        quotes.add(fold(quote))
        addresses.add(item["address"])


def _nearest_span(passage: Passage, read: Sequence[EvidenceSentence]) -> Span | None:
    """The most direct statement, or the opening of a passage that was not read; None if all of it is questions."""
    stated = [sentence for sentence in read if not is_question(sentence.text)]
    if read:
        nearest = max(stated, key=lambda sentence: directness(sentence, QuotationRules()), default=None)
        return nearest.span if nearest else None
    span = opening_span(passage)
    text = passage.text[slice(*span)]
    return None if all(is_question(text[start:end]) for start, end in sentence_spans(text)) else span


def opening_span(passage: Passage) -> Span:
    """Return the passage's first whole sentences, up to a card's length."""
    spans = sentence_spans(passage.text)
    fitting = [end for _, end in spans if end - spans[0][0] <= NEAREST_CHARS]
    return spans[0][0], fitting[-1] if fitting else spans[0][1]


def plan_trace(plan: QueryPlan) -> dict[str, Any]:
    """What the plan looks for."""
    return {
        "route": plan.route.value,
        "wordings": [{"text": wording.text, "kind": wording.kind} for wording in (*plan.wordings, *plan.refined)],
        "language": plan.language,
        "unread": plan.unread,
        "words": plan.words,
        "alternatives": {word: [list(form) for form in forms] for word, forms in plan.alternatives.items()},
        "wanted_kinds": sorted(plan.wanted_kinds),
        "addresses": plan.address_keys,
        "address_faults": plan.address_faults,
        "flags": plan.flags,
        "follow_up": plan.follow_up,
    }


def signs(plan: QueryPlan, evidence: Evidence | Abstention) -> list[str]:
    """Signals about the question, from its words and from what was found. They decide nothing."""
    doubted = evidence.signals.get("names_share", 1.0) < 1
    return list(dict.fromkeys((*plan.flags, *((FALSE_PREMISE,) if doubted else ()))))


def trace_of(plan: QueryPlan, pool: Pool, evidence: Evidence | Abstention) -> dict[str, Any]:
    """Every number that decided: the plan, each lane's count, each candidate's scores, the gate's signals.

    What the pool's cap cut, and copies, have a fused score and ranks only.
    """
    pin = answering_pin(pool.curated, evidence)
    return {
        "plan": {**plan_trace(plan), "flags": signs(plan, evidence)},
        "lanes": dict(pool.lane_counts),
        **({"replica": pool.replica_trouble} if pool.replica_trouble else {}),
        "curated": [
            {
                "entry": str(match.entry.id),
                "kind": match.entry.kind,
                "title": match.entry.title,
                "similarity": round(match.similarity, 4),
                "bar": round(match.threshold, 4),
                "phrasing": match.phrasing,
                "judged": match.judged,
                "skips_sweep": match.skips_sweep,
                "answered": match.entry.id == pin,
                "effect": effect_of(match, evidence, answered=match.entry.id == pin),
            }
            for match in pool.curated
        ],
        "candidates": [_candidate(candidate, evidence.cut) for candidate in pool.candidates],
        "capped": [_unmeasured(hit, "cap") for hit in pool.capped],
        "copies": [_unmeasured(hit, "copy") for hit in pool.copies],
        "gate": gate_trace(evidence),
    }


def gate_trace(evidence: Evidence | Abstention) -> dict[str, Any]:
    """What the coverage gate measured and decided; bar is None where it was not asked.

    subject: the chance that the corpus speaks of what is asked. thin: an outline may decide, where a chat model makes
    one. addressed: what stands at a named address is shown all the same. closest: the best passage is, not a refusal.
    """
    return {
        "coverage": round(evidence.coverage, 4),
        "bar": evidence.bar,
        "subject": round(evidence.subject, 4),
        "decision": evidence.reason.value if isinstance(evidence, Abstention) else "answer",
        "thin": isinstance(evidence, Abstention) and evidence.thin is not None,
        "addressed": evidence.addressed is not None,
        "closest": isinstance(evidence, Abstention) and evidence.closest is not None,
        "signals": {name: round(value, 4) for name, value in evidence.signals.items()},
    }


def known_trace(known: KnownFacts) -> dict[str, Any]:
    """The facts and conflicts that take part; empty where there are none. A conflict that no editor recorded has ""."""
    if not known.facts and not known.conflicts:
        return {}
    return {
        "facts": [_fact(fact) for fact in known.facts],
        "conflicts": [
            {
                "contradiction": str(conflict.id) if conflict.id else "",
                "subject": conflict.subject,
                "sides": [_fact(side) for side in conflict.sides],
            }
            for conflict in known.conflicts
        ],
    }


def _fact(fact: KnownFact) -> dict[str, str]:
    address = fact.passage.address_at(fact.quote.span)
    return {"fact": str(fact.id), "content": fact.content, "chunk": str(fact.passage.chunk_id), "address": address}


def _candidate(candidate: Candidate, cuts: Mapping[UUID, str]) -> Mapping[str, Any]:
    cut = cuts.get(candidate.passage.chunk_id)
    return {
        "chunk": str(candidate.passage.chunk_id),
        "address": candidate.passage.address,
        **scores_of(candidate),
        **lanes_of(candidate),
        "forced": candidate.forced,
        "kept": cut is None,
        "cut_by": cut,
    }


def _unmeasured(hit: FusedHit, cut: str) -> Mapping[str, Any]:
    ranks = {lane: found.rank for lane, found in hit.lanes.items()}
    return {"chunk": str(hit.chunk_id), "fused": round(hit.fused, 5), "lanes": ranks, "cut_by": cut}


def lanes_of(candidate: Candidate) -> dict[str, dict[str, float]]:
    """The candidate's rank in each lane that found it, and the lane's own value."""
    return {
        "lanes": {lane: hit.rank for lane, hit in candidate.lanes.items()},
        "lane_values": {lane: round(hit.value, 5) for lane, hit in candidate.lanes.items()},
    }


def scores_of(candidate: Candidate) -> dict[str, float | None]:
    """A candidate's scores, rounded; None where one was not computed."""
    numbers = {
        "fused": candidate.fused,
        "similarity": candidate.similarity,
        "reference_similarity": candidate.reference_similarity,
        "sentence_similarity": max(candidate.sentence_similarities, default=None),
        "term_share": candidate.term_share,
        "relevance": candidate.relevance,
        "answerability": candidate.answerability,
        "rerank_score": candidate.rerank_score,
    }
    return {name: None if value is None else round(value, 5) for name, value in numbers.items()}
