import os
import random
from dataclasses import replace

import numpy as np
import pytest

from lectorium.providers.cross_encoder_weights import SHIPPED, WeightsCalibration
from lectorium.providers.protocols import Judgement, Reading
from training.build.sources import SourceDocument
from training.evaluation import grounding as evaluate_claims
from training.evaluation import robustness as evaluate_robustness
from training.evaluation import testsets
from training.evaluation.grounding import grounding
from training.evaluation.measures import auroc, average, estimate, macro, mean
from training.evaluation.reading import ReadingAnswer, answers, measured
from training.evaluation.robustness import folded, moves, robustness
from training.evaluation.speed import distinct_texts, speed, start_times, whole_words
from training.evaluation.testsets import UNSEEN, ClaimRow, ClaimSet, robust_claims

CALIBRATION = WeightsCalibration("abc", (1.0, 0.0), (1.0, 0.0), 0.5, 0.3)
WORDS = "mind river stone garden lecture teacher temple music paper winter".split()


class Overlap:
    """A model whose support is the share of a claim's words in the evidence, in lower case."""

    calibration = CALIBRATION

    def __init__(self):
        self.seen = []

    def verify(self, pairs):
        self.seen += pairs
        return [self._judge(set(evidence.lower().split()), claim.lower().split()) for evidence, claim in pairs]

    def _judge(self, evidence, words):
        support = sum(word in evidence for word in words) / max(1, len(words))
        return Judgement("supported" if support >= 0.5 else "not_mentioned", support, 0.0, None)

    def read(self, question, passages):
        self.seen += [(question, passage) for passage in passages]
        spanned = self.calibration.answered <= 0.4
        return [Reading(0.0, 0.4, (0, 4) if spanned else None) for _ in passages]


def claims(count, kinds=("number", "name", "denial")):
    rng = random.Random(1)
    for number in range(count):
        words = rng.sample(WORDS, 4)
        false = number % 2 == 1
        claim = " ".join(["snow", "ice", *words[:2]] if false and number % 3 else words)
        yield ClaimRow(" ".join(words), claim, not false, kinds[number % len(kinds)] if false else "")


@pytest.fixture
def sets(monkeypatch):
    monkeypatch.setattr(evaluate_claims, "embed", lambda texts, tokens=96: np.ones((len(texts), 2), dtype=np.float32))
    return [
        ClaimSet("lectures", "unseen claims; the lectures were perturbed", list(claims(24))),
        ClaimSet("new", UNSEEN, list(claims(12, kinds=("",)))),
        ClaimSet("known", "held back; others were used", list(claims(18, kinds=("",)))),
    ]


def test_each_set_and_each_macro_has_every_measure_with_an_interval(sets):
    found = grounding(Overlap(), sets)
    assert [row["set"] for row in found["sets"]] == ["lectures", "new", "known"]
    for row in (*found["sets"], *found["macros"].values()):
        of_support = ("auroc", "balanced_accuracy", "ece", "true_supported", "false_supported")
        for name in (*of_support, *(f"guarded_{measure}" for measure in of_support), "cosine_auroc", "overlap_auroc"):
            assert row[name]["low"] <= row[name]["value"] <= row[name]["high"]


def test_macros_distinguish_unseen_rows_from_unseen_corpora(sets):
    macros = grounding(Overlap(), sets)["macros"]
    assert macros["rows not trained on"]["sets"] == ["lectures", "new"]
    assert macros["strictly unseen"]["sets"] == ["new"]
    assert macros["all sets"]["sets"] == ["lectures", "new", "known"]
    assert macros["all sets"]["auroc"]["rows"] == 54


def test_objections_only_count_in_guarded_measures(monkeypatch):
    monkeypatch.setattr(evaluate_claims, "embed", lambda texts, tokens=96: np.ones((len(texts), 2), dtype=np.float32))
    evidence = "The school had ten pupils in the town."
    rows = [ClaimRow(evidence, evidence, True), ClaimRow(evidence, evidence.replace("ten", "twelve"), False)]
    [found] = grounding(Overlap(), [ClaimSet("numbers", UNSEEN, rows)])["sets"]
    assert (found["false_supported"]["value"], found["guarded_false_supported"]["value"]) == (1, 0)
    assert found["true_supported"]["value"] == found["guarded_true_supported"]["value"] == 1


def test_each_kind_of_error_is_compared_with_all_true_claims(sets):
    kinds = grounding(Overlap(), sets)["sets"][0]["by_kind"]
    assert set(kinds) == {"number", "name", "denial"}
    assert sum(row["errors"] for row in kinds.values()) == 12
    assert all(row["rows"] == 12 + row["errors"] for row in kinds.values())
    assert grounding(Overlap(), sets)["sets"][1]["by_kind"] == {}


def test_a_macro_weighs_every_set_equally():
    small, large = ([1, 0], [0.9, 0.1]), ([1, 0] * 40, [0.1, 0.9] * 40)
    found = macro(auroc, [small, large])
    assert found.value == pytest.approx(0.5)
    assert found.rows == 82
    assert macro(auroc, [large]) == estimate(auroc, *large)


def test_an_interval_narrows_with_rows():
    few, many = (average([float(n % 2) for n in range(count)]) for count in (10, 1000))
    assert many.high - many.low < few.high - few.low
    assert average([]).rows == 0
    assert mean(np.zeros(2), np.array([1.0, 3.0])) == 2.0


def test_unchanged_claims_are_left_out():
    claim = ClaimRow("rain fell", "rain fell", True)
    found = moves(Overlap(), [(claim, "rain fell"), (claim, "rain"), (claim, "snow came")])
    assert found["rows"] == 2
    assert found["mean_move"]["value"] == pytest.approx(-0.5)
    assert found["within_0.1"]["value"] == pytest.approx(0.5)


def test_guards_reject_shuffled_words():
    claim = ClaimRow("Krishna taught on the field.", "Krishna taught on the field.", True)
    found = moves(Overlap(), [(claim, "field. the on taught Krishna")])
    assert found["no_longer_supported"]["value"] == found["lost"]["value"] == 0
    assert found["guarded"]["no_longer_supported"]["value"] == found["guarded"]["lost"]["value"] == 1


def test_lost_verdicts_are_a_share_of_the_supported_ones():
    true, doubted = ClaimRow("rain fell", "rain fell", True), ClaimRow("rain fell", "it snowed", True)
    found = moves(Overlap(), [(true, "snow came"), (true, "rain came"), (doubted, "ice")])["no_longer_supported"]
    assert found["rows"] == 2
    assert found["value"] == pytest.approx(0.5)


def test_robustness_covers_every_change(monkeypatch):
    monkeypatch.setattr(evaluate_robustness, "Lexicon", lambda texts: OneName())
    true = [ClaimRow("in Boston, rain fell", "Rain fell in Boston.", True)]
    found = robustness(Overlap(), true, [ClaimRow("so said Shâkya", "so said Shâkya", True)])
    rows = {name: row["rows"] for name, row in found.items()}
    assert rows == {
        "lower case": 1,
        "no punctuation": 1,
        "no diacritics": 1,
        "words reversed": 1,
        "one entity swapped": 1,
    }
    assert found["no diacritics"]["no_longer_supported"]["value"] == 0
    assert folded("Shâkya, Śrī") == "Shakya, Sri"


class OneName:
    """A lexicon of one name."""

    def other_name(self, name, near, rng):
        return "Madras"


def test_sentences_with_diacritics_come_from_the_lectures(tmp_path, monkeypatch):
    entry = SourceDocument("a", "Buddha taught. Then Shâkya Muni went away.", "train")
    monkeypatch.setattr(testsets, "lecture_texts", lambda data: [entry])
    monkeypatch.setattr(testsets, "claim_sets", lambda data, rows: [ClaimSet("a", UNSEEN, [ClaimRow("e", "c", False)])])
    true, marked = robust_claims(tmp_path, rows=5)
    assert true == []
    assert marked == [ClaimRow(entry.text, "Then Shâkya Muni went away.", True)]


def test_answers_are_read_at_any_answerability_without_changing_the_models_threshold():
    model = Overlap()
    model.calibration = replace(CALIBRATION, answered=0.9)
    question = {"passage_id": "p", "question": "Who?", "answers": ["Anna"], "is_impossible": False}
    found = answers(model, {"p": "Anna went."}, [question, question | {"is_impossible": True}])
    assert found == [ReadingAnswer(["Anna"], "Anna", 0.4), ReadingAnswer([], "Anna", 0.4)]
    assert model.calibration.answered == 0.9


def test_answers_are_measured_at_the_shipped_and_the_full_threshold():
    sure, unsure, none = (
        ReadingAnswer(["Anna"], "Anna", 0.9),
        ReadingAnswer(["Anna"], "Anna", 0.5),
        ReadingAnswer([], "Boris", 0.4),
    )
    found = measured([sure, unsure, none], 0.3)
    assert list(found["answers"]) == ["0.30", "0.60"]
    low, high = found["answers"].values()
    assert (low["has_answer_exact"]["value"], high["has_answer_exact"]["value"]) == (1.0, 0.5)
    assert (low["no_answer_accuracy"]["value"], high["no_answer_accuracy"]["value"]) == (0.0, 1.0)
    assert found["auroc"]["value"] == 1.0
    assert found["ece"]["value"] == pytest.approx((0.1 + 0.5 + 0.4) / 3)


def test_speed_is_timed_on_distinct_texts(monkeypatch, tmp_path):
    monkeypatch.setattr("training.evaluation.speed.whole_words", lambda folder: WORDS)
    monkeypatch.setattr("training.evaluation.speed.start_times", lambda folder: {"runs": 1})
    model = Overlap()
    found = speed(model, tmp_path, runs=2)
    assert found["runs"] == 2
    assert found["start"] == {"runs": 1}
    assert found["pairs_a_second_64"] > 0
    assert 0 <= found["read_60x200_ms"]["p50"] <= found["read_60x200_ms"]["p95"]
    longest = [text for pair in model.seen for text in pair if len(text.split()) > 40]
    assert len(longest) == len(set(longest)) == (3 * 64 + 60 + 6) * 3


def test_whole_words_are_single_tokens():
    from tokenizers import Tokenizer

    text = distinct_texts(whole_words(SHIPPED))(200)
    tokenizer = Tokenizer.from_file(str(SHIPPED / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    assert len(tokenizer.encode(text, add_special_tokens=False).ids) == 200


def test_the_start_is_timed_in_a_new_process(tmp_path):
    program = "import json, os, sys; print(json.dumps({'process': os.getpid(), 'folder': len(sys.argv[1])}))"
    found = start_times(tmp_path, runs=1, program=program)
    assert found["runs"] == 1
    assert found["folder"] == len(str(tmp_path))
    assert found["process"] != os.getpid()
