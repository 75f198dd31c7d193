import numpy as np
import pytest

from evaluation.citations.judges import CitationPair, best_bar, by_meaning, by_words, fitted
from lectorium.providers.stand_ins.hashing import HashingEmbedder

EVIDENCE = "The lamp burns in the hall. It was lit by the keeper. Rain fell all night."


def test_words_are_counted_in_the_cited_text():
    held, missing = by_words(
        [CitationPair(EVIDENCE, "The keeper lit the lamp."), CitationPair(EVIDENCE, "Whales sing.")]
    )
    assert held > missing == 0.0


def test_meaning_compares_with_the_closest_one_or_two_sentences():
    alone, joined, far = by_meaning(HashingEmbedder())(
        [
            CitationPair(EVIDENCE, "Rain fell all night."),
            CitationPair(EVIDENCE, "The lamp burns in the hall. It was lit by the keeper."),
            CitationPair(EVIDENCE, "Whales sing in winter."),
        ]
    )
    assert alone == pytest.approx(1.0, abs=1e-5)
    assert joined == pytest.approx(1.0, abs=1e-5)
    assert far < alone


def test_the_bar_separates_right_from_wrong():
    assert best_bar([0.7, 0.8, 0.9], [0.1, 0.2, 0.75]) == 0.7
    assert best_bar([0.5], [0.5]) == 0.5


def test_a_judge_is_measured_on_held_out_pairs():
    scores = {"good": 0.9, "bad": 0.1, "odd": 0.4, "sly": 0.95}

    def measure(pairs):
        return [scores[pair.sentence] for pair in pairs]

    right = [CitationPair("", "good"), CitationPair("", "odd")]
    wrong = [CitationPair("", "bad"), CitationPair("", "sly")]
    judge = fitted("told", measure, right, wrong)
    assert judge.bar == 0.9
    assert (judge.accepts.hits, judge.accepts.total) == (0, 1)
    assert (judge.rejects.hits, judge.rejects.total) == (0, 1)
    assert judge.supports(right) == [True, False]


def test_evidence_without_sentences_is_compared_whole():
    assert np.isfinite(by_meaning(HashingEmbedder())([CitationPair("…", "The lamp burns.")])).all()
