import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from lectorium.providers.cross_encoder_model import CrossEncoderNetwork, Shape
from lectorium.providers.cross_encoder_weights import load_calibration, unpack
from training.config import load_config
from training.export import average, export

SHAPE = Shape(vocabulary=50, width=24, inner=48, layers=1, heads=2, positions=32)


@pytest.fixture
def config(tmp_path):
    found = replace(load_config(Path("training/config.toml")), run=tmp_path / "run")
    checkpoint(found, seed=1)
    return found


def checkpoint(config, *, seed):
    torch.manual_seed(seed)
    network = CrossEncoderNetwork(SHAPE).state_dict()
    progress = {"seconds": 90.0, "steps": 3, "pairs": {"reading": 40, "grounding": 2}}
    config.run.mkdir(exist_ok=True)
    torch.save({"network": network, "optimizer": {}, "progress": progress}, config.run / "checkpoint.pt")
    return network


def shipped(folder):
    return unpack(load_file(folder / "cross_encoder.safetensors"), torch.float32)


def test_weights_survive_packing_within_a_quantisation_step(config, tmp_path):
    network = checkpoint(config, seed=1)
    digest = export(config, tmp_path / "weights")
    assert digest == hashlib.sha256((tmp_path / "weights/cross_encoder.safetensors").read_bytes()).hexdigest()
    for name, weight in shipped(tmp_path / "weights").items():
        assert torch.allclose(weight, network[name], atol=float(network[name].abs().max()) / 127), name


def test_an_export_is_complete_and_uncalibrated(config, tmp_path):
    digest = export(config, tmp_path / "weights")
    assert load_calibration(tmp_path / "weights").version == digest[:12]
    assert load_calibration(tmp_path / "weights").support == (1.0, 0.0)
    assert json.loads((tmp_path / "weights/run.json").read_text()) == {"minutes": 1.5, "pairs": 42}
    assert (tmp_path / "weights/tokenizer.json").is_file()
    assert not list((tmp_path / "weights").glob("*.part"))


def test_a_share_averages_with_the_folders_weights(config, tmp_path):
    export(config, tmp_path / "weights")
    before = shipped(tmp_path / "weights")
    network = checkpoint(config, seed=2)
    export(config, tmp_path / "weights", share=0.25)
    for name, weight in shipped(tmp_path / "weights").items():
        expected = 0.25 * network[name] + 0.75 * before[name]
        assert torch.allclose(weight, expected, atol=float(expected.abs().max()) / 127 + 1e-6), name


def test_a_share_without_weights_in_the_folder_is_refused(config, tmp_path):
    with pytest.raises(FileNotFoundError, match="cross_encoder"):
        export(config, tmp_path / "weights", share=0.5)


def test_the_average_is_a_linear_interpolation():
    ours, theirs = {"a": torch.tensor([1.0, 4.0])}, {"a": torch.tensor([0.0, 8.0])}
    assert average(ours, theirs, 0.25)["a"].tolist() == [0.25, 7.0]
    assert average(ours, theirs, 1.0)["a"].tolist() == [1.0, 4.0]
