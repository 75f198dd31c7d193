import pytest
import torch
from safetensors.torch import load_file

from lectorium.providers.mpnet.base import BASE_NAME, is_base
from tests.providers.mpnet.tiny import write_base
from training import gpu
from training.background.bases import read_warm_start
from training.background.job import write_parameters
from training.rows import read_rows

from .tiny_job import CLAIM, FALSE, tiny_config, tiny_folder


@pytest.fixture
def kit(tmp_path, monkeypatch):
    monkeypatch.setenv("LECTORIUM_TRAINING", str(tmp_path))
    monkeypatch.setenv("LECTORIUM_READER_BASE", str(write_base(tmp_path / "base")))
    monkeypatch.setattr(gpu, "load_job", tiny_config)
    folder = tiny_folder(tmp_path)
    folder.path.mkdir()
    write_parameters(folder.best, {"tokens.weight": torch.ones(3, 24)}, {"pairs": "{}"})
    return tmp_path / "kit"


def test_an_unpacked_kit_equals_the_packed_one(kit, tmp_path):
    pieces = gpu.pack(kit, piece=1, most_rows=2)
    assert [piece.name for piece in pieces] == ["piece-01"]
    gpu.unpack(kit)
    assert list(read_rows(kit / "data/claims.jsonl")) == [CLAIM, FALSE]
    assert is_base(kit / BASE_NAME)
    before, after = (load_file(folder / "model.safetensors") for folder in (tmp_path / "base", kit / BASE_NAME))
    assert all(torch.allclose(after[name].float(), weight, rtol=0.01) for name, weight in before.items())
    assert read_warm_start(kit / gpu.START).parameters["tokens.weight"].eq(1).all()


def test_a_missing_piece_is_reported_before_anything_is_unpacked(kit):
    gpu.pack(kit, piece=1)[0].unlink()
    with pytest.raises(SystemExit, match="do not match their checksum"):
        gpu.unpack(kit)
    assert not (kit / "data").exists()
