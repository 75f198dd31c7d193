"""Which candidates become evidence: what is read, in which order it stands, and what is cut by which rule.

Source of the rules: the pipeline's stage 3 (prefloor, order by rank and never by an absolute score, reserves, the cap a
lecture). Evidence for the numbers: docs/thresholds.md.
"""

import math
import statistics
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from chat.answering.domain.clip_order import LEVELLED
from chat.answering.domain.evidence.pool import Candidate
from curation.domain.acceptance import on_reference_scale


@dataclass(frozen=True, slots=True)
class DiscardRules:
    """What is read and what is kept for the answer.

    prefloor: the least similarity of what nothing forces, on the reference scale where the space has a map to it;
    prefloor_unread where no cross-encoder reads after it. term_weight: share of the question's words in a passage's
    closeness; its cosine makes up the rest. sentence_term_weight: the same where the cosine is that of its closest
    sentence. read: candidates that the cross-encoder reads, the closest first. relevance_weight: share of its relevance
    in the rerank score; closeness makes up the rest. by_sentence: kept passages that are read sentence by sentence. The
    reserves are counts of passages, kept where the pool has them. near_thread: passages kept around the conversation's
    last citation. bridges: passages kept of sources that the best `bridge_from` passages name, behind the first
    `early_after` kept ones if their own rank is not better. judged: clips that the big reader judges first. Where it
    is not sure of any of them but one is promising, it judges the others, too, up to judged_most.
    """

    top_k: int = 16
    prefloor: float = 0.18
    prefloor_unread: float = 0.45
    per_source: int = 6
    nearest: int = 3
    term_weight: float = 0.4
    sentence_term_weight: float = 0.2
    read: int = 20
    by_sentence: int = 16
    relevance_weight: float = 0.5
    kind_boost: float = 0.15
    verse_reserve: int = 2
    library_reserve: int = 2
    wanted_reserve: int = 3
    near_thread: int = 6
    bridges: int = 3
    bridge_from: int = 3
    early_after: int = 8
    judged: int = 8
    judged_most: int = 16

    @property
    def reads_clips(self) -> bool:
        """Whether the big reader, where it is installed, judges so many clips that no passage needs reading whole."""
        return self.judged >= LEVELLED

    @property
    def floor(self) -> float:
        """Return the similarity below which nothing is looked at."""
        return self.prefloor if self.read else self.prefloor_unread


@dataclass(frozen=True, slots=True)
class Selection:
    """The candidates kept, best first, and the rule that cut each of the others."""

    kept: tuple[Candidate, ...]
    cut: Mapping[UUID, str]


def closeness(candidate: Candidate, rules: DiscardRules) -> float:
    """Return how close a passage is to the question, 0..1, before anything reads it: meaning and words together.

    A passage is as close as its closest statement: an average over many sentences hides the one that answers, and a
    question that a text repeats answers nothing. Without stored sentence vectors its own cosine counts. Fused rank
    orders the pool, but it forgets by how much one passage is closer than the next; both scales know.
    """
    if candidate.statement_similarity is not None:
        weight = rules.sentence_term_weight
        return (1 - weight) * candidate.statement_similarity + weight * candidate.term_share
    return (1 - rules.term_weight) * (candidate.similarity or 0.0) + rules.term_weight * candidate.term_share


def on_scale(candidates: Sequence[Candidate], points: Sequence[tuple[float, float]]) -> tuple[Candidate, ...]:
    """Return the candidates with their similarity on the reference scale; as they are where there is no map to it."""
    return tuple(
        candidate
        if candidate.similarity is None or not points
        else replace(candidate, reference_similarity=on_reference_scale(candidate.similarity, points))
        for candidate in candidates
    )


def to_read(candidates: Sequence[Candidate], rules: DiscardRules) -> list[Candidate]:
    """Return the candidates worth a cross-encoder's time: above the prefloor or forced, the closest `read` of them."""
    above = [candidate for candidate in candidates if _is_above(candidate, rules)]
    above.sort(
        key=lambda candidate: (not candidate.at_address, not candidate.is_near_thread, -closeness(candidate, rules))
    )
    return above[: rules.read]


def ranked(candidates: Sequence[Candidate], rules: DiscardRules) -> list[Candidate]:
    """Give each read candidate its rerank score, 0..1: relevance and closeness, each measured against this pool's own.

    A cross-encoder's scores compare within one question only, so both are standardised before they are weighed. What
    was not read keeps None.
    """
    read = [candidate for candidate in candidates if candidate.relevance is not None]
    relevance = _standard([candidate.relevance or 0.0 for candidate in read])
    near = _standard([closeness(candidate, rules) for candidate in read])
    weight = rules.relevance_weight
    score = {
        candidate.passage.chunk_id: logistic(2 * (weight * r + (1 - weight) * c))
        for candidate, r, c in zip(read, relevance, near, strict=True)
    }
    return [replace(candidate, rerank_score=score.get(candidate.passage.chunk_id)) for candidate in candidates]


def ranked_by_closeness(candidates: Sequence[Candidate], rules: DiscardRules) -> list[Candidate]:
    """Give the closest candidates a rerank score, 0..1, where none of them is read whole: their closeness alone."""
    chosen = to_read(candidates, rules)
    near = _standard([closeness(candidate, rules) for candidate in chosen])
    score = {candidate.passage.chunk_id: logistic(2 * value) for candidate, value in zip(chosen, near, strict=True)}
    return [replace(candidate, rerank_score=score.get(candidate.passage.chunk_id)) for candidate in candidates]


def select(
    candidates: Sequence[Candidate],
    rules: DiscardRules,
    *,
    wanted: Collection[str] = (),
    is_named: Callable[[Candidate], bool] = lambda _: False,
) -> Selection:
    """Keep the best candidates by rank; say which rule cut each of the others.

    wanted: kinds the question asks for. is_named: does the question name this passage's source (the cap spares it)?
    """
    cut = {candidate.passage.chunk_id: "prefloor" for candidate in candidates if not _is_above(candidate, rules)}
    above = sorted(
        (candidate for candidate in candidates if _is_above(candidate, rules)),
        key=lambda candidate: _order(candidate, rules, wanted),
    )
    unique = _without_duplicates(above, cut)
    spread = _at_most_a_source(unique, rules, cut, is_named)
    kept = _early(_with_reserves(spread, rules, wanted), rules, wanted)
    cut |= {candidate.passage.chunk_id: "top_k" for candidate in spread if candidate not in kept}
    return Selection(tuple(kept), cut)


def _order(candidate: Candidate, rules: DiscardRules, wanted: Collection[str]) -> tuple[bool, bool, float, float]:
    if candidate.at_address:
        return False, False, candidate.lanes["address"].rank, 0.0  # as it stands in its text
    boost = rules.kind_boost if candidate.passage.kind in wanted else 0.0
    known = candidate.rerank_score if candidate.rerank_score is not None else closeness(candidate, rules)
    return True, candidate.rerank_score is None, -(known + boost), -(candidate.similarity or 0.0)


def _is_above(candidate: Candidate, rules: DiscardRules) -> bool:
    near = candidate.similarity if candidate.reference_similarity is None else candidate.reference_similarity
    return candidate.forced or candidate.is_bridge or (near or 0.0) >= rules.floor


def _without_duplicates(ordered: Iterable[Candidate], cut: dict[UUID, str]) -> list[Candidate]:
    first: dict[str, Candidate] = {}
    for candidate in ordered:
        text = " ".join(candidate.passage.text.casefold().split())
        if text in first and not candidate.at_address:
            cut[candidate.passage.chunk_id] = "duplicate"
        else:
            first.setdefault(text if not candidate.at_address else str(candidate.passage.chunk_id), candidate)
    return list(first.values())


def _at_most_a_source(
    ordered: Iterable[Candidate], rules: DiscardRules, cut: dict[UUID, str], is_named: Callable[[Candidate], bool]
) -> list[Candidate]:
    kept: list[Candidate] = []
    held: dict[UUID, int] = {}
    for candidate in ordered:
        source = candidate.passage.source_id
        full = candidate.passage.kind == "lecture" and held.get(source, 0) >= rules.per_source
        if full and not candidate.at_address and not is_named(candidate):
            cut[candidate.passage.chunk_id] = "per_source"
            continue
        held[source] = held.get(source, 0) + 1
        kept.append(candidate)
    return kept


def _with_reserves(ordered: Sequence[Candidate], rules: DiscardRules, wanted: Collection[str]) -> list[Candidate]:
    """Return the first `top_k`, the last of them giving way to the kinds that are reserved a place; order is kept.

    What stands at an address is kept even beyond them.
    """
    owed = [*(candidate for candidate in ordered if candidate.at_address), *_reserved(ordered, rules, wanted)]
    for is_owed, most in ((_near_thread, rules.near_thread), (_bridge, rules.bridges)):
        owed += [candidate for candidate in ordered if is_owed(candidate) and candidate not in owed][:most]
    free = max(0, rules.top_k - len(owed))
    others = [candidate for candidate in ordered if candidate not in owed][:free]
    return [candidate for candidate in ordered if candidate in owed or candidate in others][
        : max(rules.top_k, len(owed))
    ]


def _near_thread(candidate: Candidate) -> bool:
    return candidate.is_near_thread


def _bridge(candidate: Candidate) -> bool:
    return candidate.is_bridge


def _reserved(ordered: Sequence[Candidate], rules: DiscardRules, wanted: Collection[str]) -> list[Candidate]:
    """Return the best of each kind that is reserved places."""
    places = {"verse": rules.verse_reserve, "library": rules.library_reserve}
    places |= dict.fromkeys(wanted, rules.wanted_reserve)
    return [
        candidate
        for kind, most in places.items()
        for candidate in [candidate for candidate in ordered if candidate.passage.kind == kind][:most]
    ]


def _early(kept: Sequence[Candidate], rules: DiscardRules, wanted: Collection[str]) -> list[Candidate]:
    """Put bridges and reserved kinds among the twelve that a writer is shown, in this order.

    What stands at an address stays before them.
    """
    first, rest = kept[: rules.early_after], kept[rules.early_after :]
    reserved = _reserved(kept, rules, wanted)

    def order(candidate: Candidate) -> tuple[bool, bool, bool]:
        return not candidate.at_address, not candidate.is_bridge, candidate not in reserved

    return [*first, *sorted(rest, key=order)]


def _standard(values: Sequence[float]) -> list[float]:
    if len(values) < 2:
        return [0.0] * len(values)
    mean, spread = statistics.fmean(values), statistics.pstdev(values)
    return [(value - mean) / spread if spread > 1e-9 else 0.0 for value in values]


def logistic(value: float) -> float:
    """Map a logit to 0..1."""
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, value))))
