import pytest
import torch
from safetensors.torch import save_file
from torch import nn

from lectorium.providers.errors import ModelMissing
from lectorium.providers.mpnet.question_adapter import QuestionAdapter
from lectorium.providers.sentence_transformers import SentenceTransformersEmbedder


class WordSums(nn.Module):
    """Embeds a text by a linear map of the counts of its letters a to d; as sentence-transformers call it."""

    prompts: dict[str, str] = {}
    default_prompt_name = None

    def __init__(self):
        super().__init__()
        self.auto_model = nn.ModuleDict({"dense": nn.Linear(4, 3, bias=False)})
        nn.init.eye_(self.auto_model["dense"].weight)

    def __getitem__(self, place):
        assert place == 0
        return self

    def forward(self, features):
        return {"sentence_embedding": self.auto_model["dense"](features["counts"])}


@pytest.fixture
def file(tmp_path):
    """An adapter that adds the count of d to the first number."""
    written = tmp_path / "counts.safetensors"
    save_file({"dense.a": torch.tensor([[0.0, 0, 0, 1]]), "dense.b": torch.tensor([[1.0], [0], [0]])}, written)
    return written


@pytest.fixture
def embedder(file, monkeypatch):
    made = SentenceTransformersEmbedder("counts", "nowhere", questions=file)
    made.__dict__ |= {"_model": WordSums(), "width": 3}

    def batches(texts, prompt, step):
        counts = torch.tensor([[float(text.count(letter)) for letter in "abcd"] for text in texts])
        yield list(range(len(texts))), {"counts": counts}

    monkeypatch.setattr(made, "_batches", batches)
    return made


def test_only_questions_are_read_with_the_adapter(embedder):
    before = embedder.embed_passages(["bd"])
    assert embedder.embed_questions(["bd"])[0] == pytest.approx([0.5**0.5, 0.5**0.5, 0.0])
    assert embedder.embed_passages(["bd"]).tolist() == before.tolist() == [[0.0, 1.0, 0.0]]


def test_passages_keep_their_vectors_after_a_question_that_fails(embedder):
    embedder.embed_questions(["b"])
    with pytest.raises(AttributeError):
        embedder.embed_questions([7])
    assert embedder.embed_passages(["bd"]).tolist() == [[0.0, 1.0, 0.0]]


@pytest.mark.parametrize("shape", [{"other.a": (1, 4), "other.b": (3, 1)}, {"dense.a": (1, 5), "dense.b": (3, 1)}])
def test_an_adapter_of_another_network_is_refused(tmp_path, shape):
    save_file({name: torch.zeros(size) for name, size in shape.items()}, tmp_path / "wrong.safetensors")
    with pytest.raises(ModelMissing, match="does not fit the embedder"):
        QuestionAdapter(WordSums().auto_model, tmp_path / "wrong.safetensors")
