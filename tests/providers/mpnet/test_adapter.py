"""An adapter on disk: it comes back as it was, and one that does not fit is refused with the reason."""

from dataclasses import replace

import pytest
import torch

from lectorium.providers.errors import ModelMissing
from lectorium.providers.mpnet.adapter import load_adapter, load_facts, save_adapter, save_facts

from .tiny import tiny_network


def parameters(network):
    return {name: parameter.detach() for name, parameter in network.trained()}


def test_an_adapter_comes_back_in_bfloat16(tmp_path):
    ours, theirs = tiny_network(seed=1), tiny_network(seed=2)
    written = save_adapter(tmp_path, parameters(ours), {"reading": 3, "grounding": 4})
    facts = load_adapter(theirs, tmp_path)
    assert facts == written
    assert facts.pairs == {"reading": 3, "grounding": 4}
    for name, parameter in theirs.trained():
        assert torch.equal(parameter, dict(ours.trained())[name].bfloat16().float()), name


def test_the_version_names_the_weights(tmp_path):
    versions = {save_adapter(tmp_path, parameters(tiny_network(seed)), {}).calibration.version for seed in (1, 1, 2)}
    assert len(versions) == 2


def test_a_measured_calibration_is_kept(tmp_path):
    facts = save_adapter(tmp_path, parameters(tiny_network()), {})
    measured = replace(facts, calibration=replace(facts.calibration, support=(0.5, -1.0), supported=0.6))
    save_facts(tmp_path, measured)
    assert load_facts(tmp_path) == measured


def test_an_empty_folder_says_how_to_write_one(tmp_path):
    with pytest.raises(ModelMissing, match="python -m training accept"):
        load_facts(tmp_path)


def test_an_adapter_of_another_base_is_refused(tmp_path):
    save_facts(tmp_path, replace(save_adapter(tmp_path, parameters(tiny_network()), {}), base_sha256="0" * 64))
    with pytest.raises(ModelMissing, match="trained on another base"):
        load_adapter(tiny_network(), tmp_path)


def test_an_adapter_that_lacks_a_parameter_is_refused(tmp_path):
    part = parameters(tiny_network())
    del part["tokens.bias"]
    save_adapter(tmp_path, part, {})
    with pytest.raises(ModelMissing, match=r"does not fit the network: tokens\.bias"):
        load_adapter(tiny_network(), tmp_path)
