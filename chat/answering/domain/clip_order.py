"""The order of an answer's clips once the big reader has read them, and what the reading says of the question."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from statistics import fmean

from chat.answering.domain.evidence.quotation import Clips, EvidenceSentence, QuotationRules, Quote, overlap
from corpus.domain.passage import Span

FIRST, LEVEL, LEAD = "clip_answerability", "clip_level", "clip_lead"
CLIP_SIGNALS = frozenset({FIRST, LEVEL, LEAD})
LEVELLED = 8  # clips that the level is taken over, as many as every mode judges: they tell as much as more do
LEAST = 1e-6  # a chance of 0 would make any mean 0


@dataclass(frozen=True, slots=True)
class JudgedClips:
    """The clips, the best first, and what the reader found in all that it judged, each 0..1.

    answerability: the calibrated chance that the first clip answers. level: the geometric mean of the chances of the
    LEVELLED likeliest. A source that answers a question mostly speaks of it in many places; a question with one thing
    swapped finds one clip that sounds right. lead: by how much the first clip is worth more than the second; 0 where
    nothing tells them apart.
    """

    clips: tuple[Quote, ...] = ()
    answerability: float = 0.0
    level: float = 0.0
    lead: float = 0.0

    @property
    def signals(self) -> dict[str, float]:
        """What speaks for an answer, by the names that the gate weighs."""
        return {FIRST: self.answerability, LEVEL: self.level, LEAD: self.lead}


def lead_scores(clips: Sequence[Quote], sentences: Sequence[EvidenceSentence], rules: QuotationRules) -> list[float]:
    """Return the score of each clip's lead among these sentences."""
    scored = Clips(sentences, rules)
    return [scored.score(clip.answering) for clip in clips]


def order_clips(
    clips: Sequence[Quote],
    relevance: Sequence[float],
    answerability: Sequence[float],
    scores: Sequence[float],
    bare_verses: Sequence[bool],
    rules: QuotationRules,
) -> JudgedClips:
    """Return the clips by the reader's relevance and their lead's score together, without those far behind the first.

    A definition comes first where one is asked for: the reader knows subjects better than forms. A verse that nobody
    asked for stands behind the talk that explains it.
    relevance, answerability, scores, bare_verses (is it such a verse?): one value a clip, in the order given.
    """
    worth = [
        value + rules.score_weight * score - rules.bare_verse * bare
        for value, score, bare in zip(relevance, scores, bare_verses, strict=True)
    ]
    order = sorted(range(len(clips)), key=lambda place: (not _defines(clips[place]), -worth[place]))
    near = [place for place in order if worth[place] >= worth[order[0]] - rules.near_best]
    first = answerability[order[0]] if order else 0.0
    return JudgedClips(tuple(clips[place] for place in near), first, _level(answerability), _lead(worth))


def said_first(
    judged: JudgedClips,
    clips: Sequence[Quote],
    answerability: Sequence[float],
    said: Sequence[int],
    held: int,
    rules: QuotationRules,
) -> JudgedClips:
    """Return the clips that say rare words of the question together, where the best clip's passage holds none of them.

    The reader knows subjects better than words: of "Did Mister Iqbal ever become quiet?" it hears the quiet alone.
    Such clips must answer by themselves.
    said: how many of the question's rare words each clip says, in the order of `clips`. held: how many the passage of
    the best clip holds.
    """
    saying = [place for place, words in enumerate(said) if words >= rules.said_together]
    if held or not saying:
        return judged
    saying.sort(key=lambda place: (-said[place], -answerability[place]))
    return replace(judged, clips=tuple(clips[place] for place in saying), answerability=answerability[saying[0]])


def led_by_answer(clip: Quote, answer: Span | None) -> Quote:
    """The clip, led by the sentence that holds most of the answer.

    answer: characters of the clip's sentences joined by spaces, as the reader read them; None where it saw none.
    """
    if answer is None:
        return clip
    ends = list(accumulate(len(sentence.text) + 1 for sentence in clip.sentences))
    spans = [(end - len(sentence.text) - 1, end - 1) for sentence, end in zip(clip.sentences, ends, strict=True)]
    held = [min(end, answer[1]) - max(start, answer[0]) for start, end in spans]
    return replace(clip, lead=held.index(max(held))) if max(held) > 0 else clip


def grown_clips(
    clips: Sequence[Quote], sentences: Sequence[EvidenceSentence], rules: QuotationRules, most: int
) -> tuple[Quote, ...]:
    """The first clips, at most so many, each grown around its lead to the size in which it is shown; none twice."""
    built = Clips(sentences, rules)
    shown: list[Quote] = []
    for clip in clips:
        grown = built.around(clip.answering, rules.closest_words)
        chosen = grown if grown.sentences else clip
        if not any(overlap(chosen, other) for other in shown):
            shown.append(chosen)
        if len(shown) == most:
            break
    return tuple(shown)


def _level(chances: Sequence[float]) -> float:
    """The geometric mean over LEVELLED clips. Where fewer were judged, each missing one counts as the least of them."""
    if not chances:
        return 0.0
    counted = [*chances[:LEVELLED], *[min(chances)] * (LEVELLED - len(chances))]
    return math.exp(fmean(math.log(max(chance, LEAST)) for chance in counted))


def _lead(worth: Sequence[float]) -> float:
    if len(worth) < 2:
        return 0.0
    second, first = sorted(worth)[-2:]
    return 1 - math.exp(second - first)


def _defines(clip: Quote) -> bool:
    return any(sentence.defines for sentence in clip.sentences)
