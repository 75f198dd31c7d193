"""Stage 3, last: the big reader judges whether each of the best clips answers, and orders them."""

from collections.abc import Sequence
from dataclasses import dataclass

from chat.domain.quotation import QuotationRules, Quote, Sentence, rivals
from lectorium.providers.protocols import Reader

SIGNAL = "clip_answerability"


@dataclass(frozen=True, slots=True)
class JudgedClips:
    """The clips, the best first, and the greatest calibrated chance, 0..1, that one of them answers."""

    clips: tuple[Quote, ...] = ()
    answerability: float = 0.0


def judge_clips(question: str, sentences: Sequence[Sentence], reader: Reader, rules: QuotationRules) -> JudgedClips:
    """Return the best clips by the reader's relevance, less what their place in the first ranking costs."""
    clips = rivals(sentences, rules)
    if not clips:
        return JudgedClips()
    readings = reader.read(question, [" ".join(one.text for one in clip.sentences) for clip in clips])
    worth = [reading.relevance - rules.rank_weight * rank for rank, reading in enumerate(readings)]
    order = sorted(range(len(clips)), key=lambda place: -worth[place])
    return JudgedClips(tuple(clips[place] for place in order), max(reading.answerability for reading in readings))
