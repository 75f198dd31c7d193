import json
from dataclasses import replace

import numpy as np
import pytest
import torch

from lectorium.providers.mpnet.base import load_base_network
from lectorium.providers.mpnet.question_adapter import QuestionAdapter
from tests.providers.mpnet.tiny import write_base
from training.questions import examples
from training.questions.examples import QuestionExample, SentencePool, SpannedQuestion, pool_of, public_pairs
from training.questions.train import QuestionConfig, QuestionEncoder, _loss, found_within, train

CONFIG = QuestionConfig(rate=0.01, batch=2, epochs=20.0, warmup=1, first_adapted=0, rank=4)
PASSAGE = "It rained on Sunday. Nobody came at all. Did the cats sleep then? The cats did sleep."


class WordCountEmbedder:
    """Embeds a text by the number of its words and of its cats."""

    width = 2

    def embed_passages(self, texts):
        return np.array([[len(text.split()), text.count("cats")] for text in texts], dtype=np.float32)


@pytest.fixture
def encoder(tmp_path):
    torch.manual_seed(5)
    return QuestionEncoder(write_base(tmp_path / "base"), CONFIG)


@pytest.fixture
def pool(encoder):
    """Two questions, each answered by the sentence that looks like the other's question."""
    with torch.no_grad():
        vectors = encoder.embed(["nobody came .", "cats sleep ."]).numpy()
    return SentencePool(
        vectors, vectors,
        (
            QuestionExample("did cats sleep ?", 0, (0,), (), "train"),
            QuestionExample("when did nobody came ?", 1, (1,), (), "train"),
            QuestionExample("did cats ?", 0, (0,), (), "calibrate"),
        ),
    )  # fmt: skip


def test_an_example_names_the_answers_sentences_and_those_beside_them(tmp_path, monkeypatch):
    start = PASSAGE.index("Nobody")
    asked = SpannedQuestion("Who came?", PASSAGE, (start, start + 6), "train")
    monkeypatch.setattr(examples, "spanned_questions", lambda data, seed: [asked, replace(asked, span=(900, 901))])
    monkeypatch.setattr(examples, "lecture_texts", lambda data: iter(()))
    pool = pool_of(tmp_path, 1, WordCountEmbedder())
    assert pool.examples == (QuestionExample("Who came?", 0, (1,), (0, 2), "train"),)
    assert pool.sentences.tolist() == [[4, 0], [4, 0], [5, 1], [4, 1]]
    assert pool.passages.tolist() == [[17, 2]]


def test_public_pairs_count_where_their_passage_holds_the_answer(tmp_path):
    rows = [
        {"question": "Who slept?", "passage": PASSAGE, "answers": ["cats"]},
        {"question": "Who slept?", "passage": PASSAGE, "answers": ["dogs"]},
        {"question": "A statement.", "passage": PASSAGE, "answers": ["cats"]},
    ]
    file = tmp_path / "train/retrieval_pairs/train.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (found,) = public_pairs(tmp_path)
    assert found.passage[slice(*found.span)] == "cats"


def test_training_brings_questions_to_their_answers(encoder, pool):
    sentences = torch.tensor(pool.sentences).bfloat16()
    assert found_within(encoder, pool.examples[:2], sentences, (1, 2)) != [1.0, 1.0]
    train(encoder, pool, CONFIG)
    assert found_within(encoder, pool.examples[:2], sentences, (1, 2)) == [1.0, 1.0]


def test_sentences_beside_the_answer_are_not_compared_with(encoder, pool):
    sentences, passages = (torch.tensor(vectors).bfloat16() for vectors in (pool.sentences, pool.passages))
    alone = replace(CONFIG, passage_weight=0.0)
    first = pool.examples[0]
    with torch.no_grad():
        compared = _loss(encoder, [first], sentences, passages, alone)
        spared = _loss(encoder, [replace(first, beside=(1,))], sentences, passages, alone)
    assert compared > 0
    assert spared == pytest.approx(0.0, abs=1e-6)


def test_the_saved_adapter_reads_as_it_was_trained(encoder, pool, tmp_path):
    train(encoder, pool, replace(CONFIG, epochs=2.0))
    encoder.save(tmp_path / "questions.safetensors")
    plain = load_base_network(tmp_path / "base", torch.bfloat16).encoder
    adapter = QuestionAdapter(plain, tmp_path / "questions.safetensors")
    trained = encoder.embed(["did cats sleep ?"])
    encoder.network = plain
    with torch.no_grad():
        before = encoder.embed(["did cats sleep ?"])
        with adapter.asking():
            after = encoder.embed(["did cats sleep ?"])
    assert torch.cosine_similarity(after, trained).item() == pytest.approx(1.0, abs=0.01)
    assert torch.cosine_similarity(after, before).item() < 0.99
