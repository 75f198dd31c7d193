import json
import shutil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save, save_file

from lectorium.providers import registry
from lectorium.providers.cross_encoder_weights import SHIPPED, WEIGHTS, load_network
from lectorium.providers.sentence_transformers import SentenceTransformersEmbedder
from lectorium.providers.weight_files.checks import weight_files
from lectorium.providers.weight_files.files import DamagedWeights, is_whole, load_weights
from operations import diagnosis
from tests.providers.mpnet.tiny import write_base

WHOLE = save({"a": np.zeros((3, 4), dtype=np.float32), "b": np.ones(5, dtype=np.int8)}, metadata={"format": "pt"})


@pytest.fixture
def small_reader(tmp_path, settings):
    """A copy of the shipped weights that the settings name."""
    folder = tmp_path / "weights"
    shutil.copytree(SHIPPED, folder)
    settings.CROSS_ENCODER, settings.READER = str(folder), "small"
    return folder


def truncate(file, share=0.5):
    file.write_bytes(file.read_bytes()[: int(file.stat().st_size * share)])


@given(st.integers(0, len(WHOLE) - 1))
def test_every_truncation_is_noticed(tmp_path_factory, length):
    file = tmp_path_factory.getbasetemp() / "cut.safetensors"
    file.write_bytes(WHOLE)
    assert is_whole(file)
    file.write_bytes(WHOLE[:length])
    assert not is_whole(file)


@pytest.mark.parametrize("content", [b"", b"\xff" * 100, b"\x02" + b"\0" * 7 + b"[]", b"\x04" + b"\0" * 7 + b"null"])
def test_garbage_is_not_whole(tmp_path, content):
    (tmp_path / "x").write_bytes(content)
    assert not is_whole(tmp_path / "x")
    assert not is_whole(tmp_path / "absent")


def test_a_damaged_file_is_named_with_what_to_do(tmp_path):
    file = tmp_path / "cut.safetensors"
    save_file({"a": np.zeros(100)}, file)
    truncate(file)
    with pytest.raises(DamagedWeights, match=r"cut\.safetensors is damaged.*Run this"):
        load_weights(file, "Run this.")


def test_a_truncated_small_reader_is_named_when_it_loads_and_by_the_doctor(small_reader, settings):
    truncate(small_reader / WEIGHTS)
    with pytest.raises(DamagedWeights, match=r"cross_encoder\.safetensors is damaged.*git checkout"):
        load_network(small_reader, None)
    (fault,) = [fault for file in weight_files([]) if (fault := file.fault())]
    assert fault.startswith(f"{small_reader / WEIGHTS} is truncated.")


def test_altered_weights_are_noticed_by_their_sum(small_reader):
    assert not [fault for file in weight_files([]) if (fault := file.fault())]
    file = small_reader / WEIGHTS
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    (fault,) = [fault for file in weight_files([]) if (fault := file.fault())]
    assert "was altered: its sha256 is " in fault


def test_a_truncated_base_leaves_reading_to_the_small_reader_and_the_doctor_says_so(tmp_path, settings, caplog):
    settings.READER, settings.READER_BASE = "big", write_base(tmp_path / "base")
    settings.CROSS_ENCODER = "overlap"
    truncate(settings.READER_BASE / "model.safetensors")
    registry._big_reader.cache_clear()
    try:
        assert registry.reader_named("big") is registry.reader_named("small")
    finally:
        registry._big_reader.cache_clear()
    assert f"missing or truncated: {settings.READER_BASE}" in caplog.text
    assert registry.clip_reader() is None
    faults = [fault for file in weight_files([]) if (fault := file.fault())]
    assert any("is truncated. Run `make install`" in fault for fault in faults)


def test_a_truncated_embedder_is_named(tmp_path):
    save_file({"a": np.zeros(100)}, tmp_path / "model.safetensors")
    truncate(tmp_path / "model.safetensors")
    (tmp_path / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 128}))
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text(json.dumps({"word_embedding_dimension": 4}))
    with pytest.raises(DamagedWeights, match=r"model\.safetensors is truncated"):
        _ = SentenceTransformersEmbedder("x", tmp_path)._model


@pytest.mark.django_db
def test_the_doctor_finds_the_installed_weights_whole(settings):
    settings.READER = "small"
    assert diagnosis.CHECKS["weights"]() == (True, "whole: cross_encoder.safetensors")
