"""Stage 4 without a chat model: answer in the sources' own sentences."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice
from uuid import UUID

from chat.answering.domain.clip_order import grown_clips
from chat.answering.domain.evidence.evidence import Abstention, Evidence
from chat.answering.domain.evidence.pool import Candidate
from chat.answering.domain.evidence.quotation import (
    EvidenceSentence,
    QuotationRules,
    Quote,
    choose_quotes,
    closest_quote,
    likeliest_lead,
)
from chat.answering.domain.evidence.story import whole_story
from corpus.domain.passage import Passage

MOST_ADDRESSED = 6  # runs of sentences quoted of what was asked for by its address


def synthesize_quotes(evidence: Evidence, rules: QuotationRules) -> tuple[Quote, ...]:
    """Return the clips that answer: what was asked for by its address is quoted whole and leads, then the best ones.

    Clips of one source stand in its order. A pin's own clips are the answer, in its editors' order. A question for a
    story gets the whole of it.
    """
    if evidence.pinned:
        return evidence.pinned
    asked = tuple(islice(_asked_for(evidence.candidates, evidence.sentences), MOST_ADDRESSED))
    if evidence.is_only_addressed:
        return asked
    if evidence.is_story and not asked:
        return _story(evidence, rules)
    room = max(1, rules.max_clips - len(asked))
    judged = grown_clips(evidence.clips, evidence.sentences, rules, room)
    others = judged or choose_quotes(evidence.sentences, replace(rules, max_clips=room))
    new = [quote for quote in others if not any(sentence.asked for sentence in quote.sentences)]
    return asked + in_source_order(new, [candidate.passage for candidate in evidence.candidates])


def chosen_clips(evidence: Evidence | Abstention) -> tuple[Quote, ...]:
    """Return the clips that retrieval chose to answer with, or to show as the closest; what an editor or an address
    chose is not among them."""
    shown = evidence if isinstance(evidence, Evidence) else evidence.closest
    if shown is None or shown.pinned or shown.is_only_addressed:
        return ()
    choose = synthesize_quotes if shown is evidence else closest_clips
    return choose(shown, QuotationRules())


def closest_clips(evidence: Evidence, rules: QuotationRules) -> tuple[Quote, ...]:
    """Return the clip closest to the question, or two that the reader can hardly tell apart; a story is one clip."""
    if evidence.is_story:
        return _story(evidence, rules)
    if evidence.clips:
        return grown_clips(evidence.clips, evidence.sentences, rules, rules.closest_clips)
    clip = closest_quote(evidence.sentences, rules)
    return (clip,) if clip else ()


def _story(evidence: Evidence, rules: QuotationRules) -> tuple[Quote, ...]:
    def source_of(sentence: EvidenceSentence) -> tuple[UUID, int]:
        passage = evidence.candidates[sentence.passage].passage
        return passage.source_id, passage.ordinal

    best = evidence.clips[0].answering if evidence.clips else likeliest_lead(evidence.sentences, rules)
    return whole_story(best, evidence.sentences, rules, source_of) if best else ()


def in_source_order(clips: Sequence[Quote], passages: Sequence[Passage]) -> tuple[Quote, ...]:
    """Return the best clip first, then the others: sources as they come, each one's clips in its own order."""
    sources = list(dict.fromkeys(passages[clip.passage].source_id for clip in clips))

    def place(clip: Quote) -> tuple[int, int, int]:
        passage = passages[clip.passage]
        return sources.index(passage.source_id), passage.ordinal, clip.span[0]

    return (*clips[:1], *sorted(clips[1:], key=place))


def leaves_out(evidence: Evidence, quotes: Sequence[Quote]) -> bool:
    """Does more stand at the addresses that were asked for than the quotes show?"""
    addressed = {index for index, candidate in enumerate(evidence.candidates) if candidate.at_address}
    asked = sum(quote.sentences[0].asked for quote in quotes)
    every = sum(1 for _ in _asked_for(evidence.candidates, evidence.sentences))
    return every > asked or not addressed <= {sentence.passage for sentence in evidence.sentences}


def _asked_for(candidates: Sequence[Candidate], sentences: Sequence[EvidenceSentence]) -> Iterator[Quote]:
    """Yield each verse or paragraph that was asked for, in runs; what two chunks share of one is quoted once."""
    told: dict[tuple[UUID, str], list[str]] = {}
    numbered = enumerate(sentence for sentence in sentences if sentence.asked)
    for (index, address, _), run in groupby(numbered, key=_run):
        before = told.setdefault((candidates[index].passage.source_id, address), [])
        new = tuple(sentence for _, sentence in run if sentence.text not in before)
        before += [sentence.text for sentence in new]
        if new:
            yield Quote(index, new)


def _run(numbered: tuple[int, EvidenceSentence]) -> tuple[int, str, int]:
    """Return what neighbours in one paragraph of one passage have in common."""
    number, sentence = numbered
    return sentence.passage, sentence.paragraph, sentence.position - number
