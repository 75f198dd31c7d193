"""A follow-up's evidence: what comes next in the source, and what a passage near the thread's place gains by that."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from chat.answering.domain.evidence.evidence import Abstention, Evidence, Reason
from chat.answering.domain.evidence.neighbours import announces, goes_on, takes_back
from chat.answering.domain.evidence.pool import Pool
from chat.answering.domain.evidence.quotation import EvidenceSentence, Quote, overlap
from chat.answering.domain.question import QueryPlan
from corpus.domain.passage import Passage
from corpus.domain.text.sentences import sentence_spans

LEANING = frozenset({"bare", "example", "leans"})  # kinds of follow-up that ask about what was just said
PERHAPS = LEANING | {"brief"}
BESIDES = frozenset({"bare", "example"})
_OF_WHAT_WAS_SHOWN = re.compile(r"(?:\band|[.?!])\s+(?:when|where|who)\b[^.?!]*\W*$", re.I)  # a bare question's end


@dataclass(frozen=True, slots=True)
class ContinuationRules:
    """How far a source is read on. Evidence: docs/thresholds.md.

    near_boost: what is added to the rerank score of a passage near the thread's place, where the question leans on the
    thread. words: the clip ends from here on at the first sentence that can be the last, and never goes beyond
    most_words. passages: how many are looked through for it. closest_clips: shown as closest, with what comes next,
    where the question leans on the thread. recall_floor: cosine from which on a sentence is taken for the place of an
    earlier answer, of which only the text is known.
    """

    near_boost: float = 1.0
    words: int = 50
    most_words: int = 120
    passages: int = 4
    closest_clips: int = 2
    recall_floor: float = 0.4


def prefer_near_thread(plan: QueryPlan, pool: Pool, rules: ContinuationRules) -> Pool:
    """Return a pool that was read; for a question that leans on the thread, passages near its place rank higher."""
    if plan.follow_up not in LEANING:
        return pool
    return replace(
        pool,
        candidates=tuple(
            replace(candidate, rerank_score=candidate.rerank_score + rules.near_boost)
            if candidate.is_near_thread and candidate.rerank_score is not None
            else candidate
            for candidate in pool.candidates
        ),
    )


def without_shown(plan: QueryPlan, sentences: tuple[EvidenceSentence, ...]) -> tuple[EvidenceSentence, ...]:
    """Return the sentences without those just shown, where only a reason or an example is asked for besides.

    A time, a place or a person may stand in the very sentence that was shown.
    """
    if plan.follow_up not in BESIDES or plan.place is None or _OF_WHAT_WAS_SHOWN.search(plan.standalone):
        return sentences
    shown = plan.place.shown
    return tuple(sentence for sentence in sentences if sentence.text not in shown) or sentences


def unsure_in_thread(plan: QueryPlan, clips: Sequence[Quote]) -> Reason | None:
    """Why a question that holds the last one too is not answered although the gate is sure; None where it is.

    Where the best clip is led by what answered last time, the gate is sure of the last question, not of this one.
    """
    if not (plan.repeats_last and plan.place and plan.place.cited and clips):
        return None
    last = plan.place.cited[0]
    return Reason.UNANSWERABLE if clips[0].answering.text in (last.lead or last.quote) else None


def closest_near_thread(plan: QueryPlan, abstention: Abstention, evidence: Evidence) -> Abstention:
    """Return the abstention with a closest passage also where the gate is far from sure, if the question leans on the
    thread: of what was just said, the reader at least sees the place.
    """
    near = any(candidate.is_near_thread for candidate in evidence.candidates)
    if abstention.closest or not near or plan.follow_up not in PERHAPS or "injection" in plan.flags:
        return abstention
    return replace(abstention, closest=evidence) if evidence.sentences else abstention


def with_next_clip(
    clips: Sequence[Quote], passages: Sequence[Passage], quotes: Sequence[Quote], beside: Sequence[Passage], most: int
) -> tuple[tuple[Quote, ...], tuple[Passage, ...]]:
    """Return the closest clips, at most so many, with what comes next in the thread's source behind the first.

    A follow-up mostly asks about what comes next, in words that say too little to be found.
    quotes: of that clip, in the passages `beside`. Returned with the passages of all.
    """
    if not quotes:
        return tuple(clips), tuple(passages)
    added = tuple(replace(quote, passage=quote.passage + len(passages)) for quote in quotes)
    others = [clip for clip in clips[1:] if not any(overlap(clip, quote) for quote in quotes)]
    return (*clips[:1], *added, *others[: most - 2]), (*passages, *beside)


def next_clip(
    passages: Sequence[tuple[Passage, int]], after: int, shown: Collection[str], rules: ContinuationRules
) -> tuple[Quote, ...]:
    """Return the sentences that come next and were not shown yet, a quote a passage; empty at the source's end.

    passages: with their offsets in the source, in its order; the first holds what was shown, up to character `after`.
    """
    clip: list[EvidenceSentence] = []
    ahead = _ahead(passages, after)
    for sentence, following in zip(ahead, [*ahead[1:], None], strict=False):
        size = sum(len(sentence.text.split()) for sentence in clip)
        if sentence.text in shown:
            if clip:
                break  # it stays one stretch of the source
            continue
        if clip and size + len(sentence.text.split()) > rules.most_words:
            break
        clip.append(sentence)
        size += len(sentence.text.split())
        if size >= rules.words and _may_end(sentence, following):
            break
        if passages[sentence.passage][0].kind == "verse" and following and following.passage != sentence.passage:
            break  # verses are read one by one
    return tuple(
        Quote(index, tuple(run), 0 if not n else None, continues=bool(n))
        for n, (index, run) in enumerate(groupby(clip, key=lambda sentence: sentence.passage))
    )


def _ahead(passages: Sequence[tuple[Passage, int]], after: int) -> list[EvidenceSentence]:
    """Return the sentences behind character `after` of the first passage, each once: passages of a lecture overlap."""
    found = []
    end = passages[0][1] + after if passages else 0
    for index, (passage, offset) in enumerate(passages):
        for position, (start, stop) in enumerate(sentence_spans(passage.text)):
            if offset + start < end:
                continue
            end = offset + stop
            paragraph = passage.address_at((start, stop))
            found.append(
                EvidenceSentence(index, position, (start, stop), passage.text[start:stop], 0.0, paragraph=paragraph)
            )
    return found


def _may_end(sentence: EvidenceSentence, following: EvidenceSentence | None) -> bool:
    """Can a reader stop here: nothing is announced, and what follows neither takes it back nor goes on with it?"""
    if following is None or following.paragraph != sentence.paragraph:
        return not announces(sentence.text)
    return not (announces(sentence.text) or takes_back(following.text) or goes_on(following.text))
