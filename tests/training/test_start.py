from dataclasses import replace
from pathlib import Path

import pytest
import torch

from lectorium.providers.cross_encoder_weights import SHIPPED, load_network
from lectorium.providers.errors import PermanentError
from training.base import load_base
from training.config import load_config
from training.together import begin

CONFIG = load_config(Path("training/config.toml"))


def test_a_run_starts_from_the_configured_weights_folder():
    network = begin(replace(CONFIG, start=SHIPPED))
    shipped = load_network(SHIPPED, torch.float32).state_dict()
    assert all(torch.equal(weight, shipped[name]) for name, weight in network.state_dict().items())
    assert all(weight.requires_grad for weight in network.parameters())


def test_a_run_without_a_folder_starts_from_the_base_encoder():
    base = load_base(dropout=0.0)[0].encoder.state_dict()
    found = begin(replace(CONFIG, start=None)).encoder.state_dict()
    assert all(torch.equal(weight, base[name]) for name, weight in found.items())


def test_a_folder_without_weights_is_refused(tmp_path):
    with pytest.raises(PermanentError, match=r"There is no cross_encoder\.safetensors"):
        begin(replace(CONFIG, start=tmp_path))
