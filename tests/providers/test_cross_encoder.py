import math

import pytest
import torch

from lectorium.providers.batching import STEP
from lectorium.providers.cross_encoder import (
    BATCH_TOKENS,
    BERT,
    EMPTY,
    TOKENS,
    CrossEncoder,
    best_answer,
)
from lectorium.providers.cross_encoder_model import CrossEncoderNetwork, Shape
from lectorium.providers.cross_encoder_weights import load_calibration, load_network, pack, unpack
from lectorium.providers.errors import PermanentError
from lectorium.providers.pair_layout import Pass
from lectorium.providers.stand_ins.guard import ModelForbidden
from lectorium.providers.windowing import TokenWindow

PARAGRAPH = "The pastor invited the boy to the church on Sunday. It rained all day, and the road was empty."
FILLER = "The road went on through the fields, and nobody spoke of anything else for a long while. " * 30


@pytest.fixture(scope="module")
def model():
    return CrossEncoder()


def test_weights_survive_packing_to_within_half_a_step():
    weights = {"table": torch.randn(5, 7), "vector": torch.randn(7), "zeros": torch.zeros(2, 3)}
    unpacked = unpack(pack(weights), torch.float32)
    step = weights["table"].abs().amax(1, keepdim=True) / 127
    assert ((unpacked["table"] - weights["table"]).abs() <= step / 2 + 1e-6).all()
    assert torch.equal(unpacked["vector"], weights["vector"])
    assert torch.equal(unpacked["zeros"], weights["zeros"])


def test_a_folder_without_weights_says_what_to_do(tmp_path):
    with pytest.raises(PermanentError, match="python -m training train"):
        load_network(tmp_path, torch.float32)


def test_padding_does_not_change_a_score():
    torch.manual_seed(0)
    network = CrossEncoderNetwork(Shape(vocabulary=50, width=24, inner=48, layers=2, heads=2, positions=32)).eval()
    ids = torch.randint(1, 50, (1, 9))
    types = (torch.arange(9) > 4).long()[None]
    padded = [torch.nn.functional.pad(row, (0, 6)) for row in (ids, torch.ones_like(ids), types)]
    with torch.inference_mode():
        alone = network(ids, torch.ones_like(ids), types, task=1)
        beside = network(*padded, task=1)
    assert torch.allclose(alone.grounding, beside.grounding, atol=1e-5)
    assert torch.allclose(alone.start, beside.start[:, :9], atol=1e-5)


def test_batches_come_in_few_widths_whatever_the_lengths():
    widths = set()
    for tokens in range(TOKENS["reading"] - 7):
        rows = [Pass("reading", 0, 0, [7] * 4, TokenWindow(0, n), [8] * n) for n in (tokens, 5)]
        inputs = BERT.tensors(rows)
        assert inputs["attention_mask"].sum(1).tolist() == list(map(BERT.length, rows))
        widths.add(inputs["input_ids"].shape[1])
    assert widths == set(range(STEP, TOKENS["reading"] + 1, STEP))


def test_training_and_scoring_attention_agree():
    torch.manual_seed(0)
    network = CrossEncoderNetwork(Shape(vocabulary=50, width=24, inner=48, layers=2, heads=2, positions=32)).eval()
    ids = torch.randint(1, 50, (2, 9))
    types = torch.zeros_like(ids)
    learning = network(ids, torch.ones_like(ids), types, task=0).relevance
    with torch.inference_mode():
        scoring = network(ids, torch.ones_like(ids), types, task=0).relevance
    assert torch.allclose(learning, scoring, atol=1e-5)


def test_an_answer_never_ends_before_it_starts():
    start, end = torch.tensor([0.0, 5.0, 0.0]), torch.tensor([9.0, 0.0, 1.0])
    assert best_answer(start, end) == (0, 0)
    assert best_answer(start, torch.tensor([0.0, 0.0, 3.0])) == (1, 2)


def test_an_unmarked_test_cannot_reach_the_model():
    with pytest.raises(ModelForbidden, match="cross-encoder"):
        CrossEncoder().read("Is it?", ["It is."])


@pytest.mark.model
def test_judgements_keep_order_and_range_whatever_the_lengths(model):
    pairs = [(PARAGRAPH, "It rained."), (FILLER, "It rained."), ("", "It rained."), (PARAGRAPH, "")]
    judged = model.verify(pairs)
    assert len(judged) == 4
    assert all(0 <= judgement.support <= 1 and 0 <= judgement.contradiction <= 1 for judgement in judged)
    assert judged[2].label == "not_mentioned"
    assert judged[2].span is None
    again = model.verify(pairs[::-1])[::-1]
    assert all(math.isclose(a.support, b.support, abs_tol=0.02) for a, b in zip(judged, again, strict=True))


@pytest.mark.model
def test_a_verbatim_sentence_is_supported_and_pointed_at(model):
    judged = model.verify([(PARAGRAPH, "The pastor invited the boy to the church on Sunday.")])[0]
    assert judged.label == "supported"
    assert PARAGRAPH[slice(*judged.span)].startswith("The pastor invited")


@pytest.mark.model
def test_punctuation_moves_no_support(model):
    evidence = "Arjuna, the third of five brothers, let go his bow; he would not fight."
    written, spoken = (
        "Arjuna, the third brother, let go his bow (he refused to fight).",
        "arjuna the third brother let go his bow he refused to fight",
    )
    one, other = model.verify([(evidence, written), (evidence, spoken)])
    assert one.support == pytest.approx(other.support, abs=1e-3)


@pytest.mark.model
def test_evidence_at_the_end_of_a_long_text_is_not_lost(model):
    claim = "The pastor invited the boy to the church on Sunday."
    hidden, absent = model.verify([(FILLER + claim, claim), (FILLER, claim)])
    assert hidden.support > absent.support
    assert hidden.label == "supported"
    assert hidden.span == (len(FILLER), len(FILLER) + len(claim))


@pytest.mark.model
def test_the_passage_that_speaks_of_the_question_comes_first(model):
    passages = ["Cats sleep for most of the day.", PARAGRAPH, "The bank raised its rates in March."]
    scores = model.rerank("Who invited the boy to church?", passages)
    assert max(scores) == scores[1]


@pytest.mark.model
def test_readings_point_into_their_passage_and_an_empty_one_comes_last(model):
    readings = model.read("Who invited the boy to church?", [PARAGRAPH, "", FILLER])
    assert readings[1].relevance == EMPTY
    assert readings[1].answerability == 0.0
    assert readings[1].span is None
    assert readings[0].answerability > readings[2].answerability
    for reading, passage in zip(readings, [PARAGRAPH, "", FILLER], strict=True):
        if reading.span:
            assert 0 <= reading.span[0] < reading.span[1] <= len(passage)


@pytest.mark.model
def test_no_passages_give_no_readings(model):
    assert model.read("Who?", []) == []
    assert model.verify([]) == []


@pytest.mark.model
def test_only_what_was_not_read_before_is_computed(model, monkeypatch):
    first = model.read("Whom did the pastor invite?", [PARAGRAPH])
    computed, run = [], model._batcher.run
    monkeypatch.setattr(model._batcher, "run", lambda rows: computed.append(len(rows)) or run(rows))
    assert model.read("Whom did the pastor invite?", ["It rained.", PARAGRAPH])[1:] == first
    assert model.verify([(PARAGRAPH, "The pastor invited the boy.")])
    assert computed == [1, 1]


@pytest.mark.model
def test_a_batch_larger_than_one_pass_scores_as_each_alone(model):
    passages = [f"{PARAGRAPH} {n}" for n in range(3 * BATCH_TOKENS // 1000)]
    together = model.rerank("Who invited the boy?", passages)
    other = CrossEncoder()  # which has nothing cached
    alone = [other.rerank("Who invited the boy?", [passage])[0] for passage in passages]
    assert all(math.isclose(a, b, abs_tol=0.15) for a, b in zip(together, alone, strict=True))


@pytest.mark.model
def test_the_shipped_calibration_is_complete(model):
    calibration = load_calibration(model.folder)
    assert 0 < calibration.supported < 1
    assert calibration.support[0] > 0
    assert calibration.answerability[0] > 0
