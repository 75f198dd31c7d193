import json
import random

import numpy as np
import pytest
import torch

from lectorium.providers.mpnet.rewordings import RewordingNetwork
from tests.providers.mpnet.tiny import write_base
from training.rewordings.pairs import QuestionGroup, QuestionPair, epoch_of, question_groups
from training.rewordings.train import RewordingConfig, auroc, train

RAIN = QuestionGroup(("when did it rain ?", "rain , when ?", "it rain when ?"), ("when did cats sleep ?",), (), "train")
CATS = QuestionGroup(("did cats sleep ?", "cats sleep ?"), ("did nobody sleep ?",), ("when did it rain ?",), "train")


class LetterEmbedder:
    """Embeds a text by its number of each of three letters, as a unit vector."""

    def embed_questions(self, texts):
        counts = np.array([[text.count(letter) for letter in "abc"] for text in texts], dtype=np.float32)
        return counts / np.linalg.norm(counts, axis=1, keepdims=True)


def test_a_group_holds_its_wordings_what_is_mistaken_for_them_and_the_likest_wordings_of_others(tmp_path):
    rows = [
        {"question": "aa", "other": "aab", "label": "same"},
        {"question": "aa", "other": "ab", "label": "different"},
        {"question": "aaab", "other": "ca", "label": "same"},
        {"question": "cc", "other": "ccb", "label": "same"},
    ]
    file = tmp_path / "rewordings_x.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    group, *_ = question_groups(LetterEmbedder(), [file])
    assert group.wordings == ("aa", "aab")
    assert group.mistaken == ("ab",)
    assert group.others[0] == "aaab"
    assert not set(group.others) & set(group.wordings)


def test_an_epoch_pairs_the_pinned_question_and_takes_no_question_of_another_group_for_the_same():
    pairs = epoch_of([RAIN, CATS], random.Random(1))
    assert any(pair.same and set(RAIN.wordings) >= {pair.question, pair.other} for pair in pairs)
    for pair in pairs:
        together = [group for group in (RAIN, CATS) if {pair.question, pair.other} <= set(group.wordings)]
        assert pair.same is bool(together)
        assert {pair.question, pair.other} & {RAIN.wordings[0], CATS.wordings[0]}


@pytest.mark.model
def test_training_learns_which_questions_ask_the_same(tmp_path):
    torch.manual_seed(4)
    network = RewordingNetwork.on(write_base(tmp_path / "base"))
    train(network, [RAIN, CATS], RewordingConfig(rate=0.01, head_rate=0.01, batch=4, epochs=30, warmup=1))
    held = [QuestionPair(*pair, same=True) for pair in (RAIN.wordings[:2], CATS.wordings)]
    assert auroc(network, [*held, QuestionPair("when did it rain ?", "did cats sleep ?", same=False)]) == 1.0
