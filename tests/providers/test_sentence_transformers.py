from types import SimpleNamespace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import WhitespaceSplit

from lectorium.providers.hashing import HashingEmbedder
from lectorium.providers.sentence_transformers import BATCH_TOKENS, SentenceTransformersEmbedder


def words_as_tokens():
    tokenizer = Tokenizer(WordLevel({"?": 0}, unk_token="?"))
    tokenizer.pre_tokenizer = WhitespaceSplit()
    return tokenizer


class CountingModel:
    """Encodes by hashing, and notes each pass."""

    def __init__(self):
        self.passes, self.sizes, self.steps = [], [], set()
        self.max_seq_length = 256
        self.tokenizer = SimpleNamespace(backend_tokenizer=words_as_tokens())

    def encode(self, texts, *, batch_size, processing_kwargs, **_):
        self.passes.append(list(texts))
        self.sizes.append(batch_size)
        self.steps.add(processing_kwargs["text"]["pad_to_multiple_of"])
        return torch.from_numpy(HashingEmbedder(16).embed_passages(texts))

    def get_embedding_dimension(self):
        return 16


@pytest.fixture
def model():
    return CountingModel()


@pytest.fixture
def embedder(model, tmp_path):
    made = SentenceTransformersEmbedder("counting", tmp_path)
    made.__dict__["_model"] = model
    return made


def expected(*texts):
    return HashingEmbedder(16).embed_passages(texts)


def test_vectors_come_in_the_order_of_their_texts_and_none_for_none(embedder):
    texts = ["a long text of many words", "short", ""]
    assert np.array_equal(embedder.embed_passages(texts), expected(*texts))
    assert embedder.embed_passages([]).shape == embedder.embed_questions([]).shape == (0, 16)


def test_a_question_asked_again_is_remembered_and_a_passage_is_not(embedder, model):
    first = embedder.embed_questions(["what is work", "what is yoga"])
    again = embedder.embed_questions(["what is yoga", "what is rest"])
    assert np.array_equal(first[1], again[0])
    assert [sorted(one) for one in model.passes] == [["what is work", "what is yoga"], ["what is rest"]]
    for _ in range(2):
        embedder.embed_passages(["a passage"])
    assert model.passes[2:] == [["a passage"], ["a passage"]]


def test_what_is_remembered_cannot_be_changed_by_who_asked(embedder):
    embedder.embed_questions(["what is work"])[:] = 0
    assert np.array_equal(embedder.embed_questions(["what is work"]), expected("what is work"))


@pytest.mark.parametrize(("longest", "step"), [(256, 32), (512, 32), (500, None)])
def test_batches_are_of_few_widths_as_far_as_the_longest_text_allows(embedder, model, longest, step):
    model.max_seq_length = longest
    embedder.embed_passages(["a passage"])
    assert model.steps == {step}


def widths_of(texts):
    return {-(-min(len(text.split()), 256) // 32) for text in texts}


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 400).map("word ".__mul__), max_size=60))
def test_no_text_is_padded_to_the_width_of_another(texts):
    model = CountingModel()
    embedder = SentenceTransformersEmbedder("counting", "nowhere")
    embedder.__dict__["_model"] = model
    assert np.array_equal(embedder.embed_passages(texts), expected(*texts))
    assert sorted(text for batch in model.passes for text in batch) == sorted(texts)
    assert all(len(widths_of(batch)) == 1 for batch in model.passes)
    assert all(size * 32 * max(widths_of(batch)) <= BATCH_TOKENS or size == 1
               for size, batch in zip(model.sizes, model.passes, strict=True))  # fmt: skip
