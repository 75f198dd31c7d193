"""Natural development questions over their corpora: the clips that are judged, and how well a network judges them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chat.answering.domain.evidence.quotation import Clips, rivals
from training.evaluation.measures import auroc, reciprocal_rank
from training.gpu.candidates import RULES, Similarities, SplitTexts, clip_text
from training.gpu.kit import DevelopmentQuestion
from training.gpu.scoring import GroupScores

SCORE_WEIGHTS = (0, 1, 2, 4, 8, 16)  # of a clip's own score beside its relevance; the product's is 8
FALSE_SHARE = 0.04  # of the unanswerable questions that the gate may let through
SHOWN = 4  # clips


@dataclass(frozen=True, slots=True)
class NaturalCandidates:
    """A question's clips. scores: of each by the product's rules. holds: whether it has an answering sentence."""

    question: DevelopmentQuestion
    clips: tuple[str, ...]
    scores: tuple[float, ...]
    holds: tuple[bool, ...]


def natural_candidates(
    questions: Sequence[DevelopmentQuestion], similarities: Similarities, corpus: SplitTexts
) -> list[NaturalCandidates]:
    """The clips of each question. similarities: shape (questions, sentences of the corpus)."""
    found = []
    for question, row in zip(questions, similarities, strict=True):
        evidence = corpus.evidence(corpus.nearest(row), row)
        built = Clips(evidence, RULES)
        clips = rivals(evidence, RULES)
        texts = tuple(map(clip_text, clips))
        wanted = [_plain(answer) for answer in question.answers]
        holds = tuple(any(answer in _plain(text) for answer in wanted) for text in texts)
        found.append(NaturalCandidates(question, texts, tuple(built.score(clip.answering) for clip in clips), holds))
    return [candidates for candidates in found if candidates.clips]


def natural_figures(asked: Sequence[NaturalCandidates], scores: Sequence[GroupScores]) -> dict[str, list[float]]:
    """Figures of a network.

    ranked: [weight, first clip, four clips, reciprocal rank] by the best of SCORE_WEIGHTS; ranked_at_8: without weight.
    sample, real: [AUROC of the gate, share of answerable questions above the bar that FALSE_SHARE pass].
    """
    by_weight = {weight: _ranking(asked, scores, weight) for weight in SCORE_WEIGHTS}
    best = max(by_weight, key=lambda weight: by_weight[weight][-1])
    figures = {"ranked": [float(best), *by_weight[best]], "ranked_at_8": by_weight[8]}
    for name, real in (("sample", False), ("real", True)):
        places = [place for place, candidates in enumerate(asked) if candidates.question.real is real]
        truth = np.array([float(asked[place].question.answerable) for place in places])
        best_answers = np.array([scores[place].answerability.max() for place in places])
        figures[name] = [_rounded(auroc(truth, best_answers)), _rounded(true_above(truth, best_answers, FALSE_SHARE))]
    return figures


def true_above(truth: Similarities, scores: Similarities, false_share: float) -> float:
    """The share of true rows that score above the false row with `false_share` of the false ones above it."""
    false = np.sort(scores[truth == 0])[::-1]
    if not len(false) or not truth.any():
        return float("nan")
    return float((scores[truth == 1] > false[int(false_share * len(false))]).mean())


def _ranking(asked: Sequence[NaturalCandidates], scores: Sequence[GroupScores], weight: float) -> list[float]:
    """Shares of answerable questions with an answer in the first clip and in SHOWN, and the mean reciprocal rank."""
    ranked = []
    for candidates, score in zip(asked, scores, strict=True):
        if candidates.question.answerable:
            worth = score.relevance + weight * np.array(candidates.scores)
            ranked.append([candidates.holds[place] for place in np.argsort(-worth, kind="stable")])
    if not ranked:
        return [float("nan")] * 3
    columns = [
        [float(holds[0]) for holds in ranked],
        [float(any(holds[:SHOWN])) for holds in ranked],
        list(map(reciprocal_rank, ranked)),
    ]
    return [_rounded(float(np.mean(column))) for column in columns]


def _rounded(value: float) -> float:
    return round(value, 3)


def _plain(text: str) -> str:
    return " ".join(text.split())
