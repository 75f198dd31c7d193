"""The order of an answer's clips once the big reader has read them."""

from collections.abc import Sequence
from dataclasses import dataclass

from chat.answering.domain.evidence.quotation import Clips, EvidenceSentence, QuotationRules, Quote

SIGNAL = "clip_answerability"


@dataclass(frozen=True, slots=True)
class JudgedClips:
    """The clips, the best first, and the greatest calibrated chance, 0..1, that one of them answers."""

    clips: tuple[Quote, ...] = ()
    answerability: float = 0.0


def order_clips(
    clips: Sequence[Quote], relevance: Sequence[float], answerability: Sequence[float], rules: QuotationRules
) -> JudgedClips:
    """Return the clips by the reader's relevance, less what their place in the first ranking costs.

    A definition comes first where one is asked for: the reader knows subjects better than forms.
    relevance, answerability: one value a clip, in the order given.
    """
    worth = [value - rules.rank_weight * rank for rank, value in enumerate(relevance)]
    order = sorted(range(len(clips)), key=lambda place: (not _defines(clips[place]), -worth[place]))
    return JudgedClips(tuple(clips[place] for place in order), max(answerability, default=0.0))


def closest_of(clips: Sequence[Quote], sentences: Sequence[EvidenceSentence], rules: QuotationRules) -> Quote:
    """The best clip, grown around its lead to the size of a closest passage."""
    best = clips[0]
    grown = Clips(sentences, rules).around(best.sentences[best.lead or 0], rules.closest_words)
    return grown if grown.sentences else best


def _defines(clip: Quote) -> bool:
    return any(sentence.defines for sentence in clip.sentences)
