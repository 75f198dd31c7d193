"""The judge of rewordings over a tiny base with random weights."""

import pytest
import torch

from lectorium.providers import registry
from lectorium.providers.errors import ModelMissing
from lectorium.providers.mpnet.rewordings import RewordingNetwork, RewordingReader
from lectorium.providers.stand_ins.guard import ModelForbidden

from .tiny import write_base

PAIRS = [("When did it rain?", "Did cats sleep?"), ("Nobody came.", "When did it rain on Sunday?")]


@pytest.fixture
def folders(tmp_path):
    torch.manual_seed(2)
    base, file = write_base(tmp_path / "base"), tmp_path / "rewordings.safetensors"
    RewordingNetwork.on(base).save(file)
    return base, file


@pytest.mark.model
def test_chances_keep_order_and_do_not_depend_on_which_question_comes_first(folders):
    reader = RewordingReader(*folders, threads=1)
    there = reader.same(PAIRS)
    back = reader.same([(other, one) for one, other in PAIRS])
    assert there == pytest.approx(back, abs=1e-3)
    assert all(0 <= chance <= 1 for chance in there)
    assert reader.same([]) == []
    assert reader.name.startswith("lectorium-rewordings ")


def test_weights_of_another_network_are_refused(folders, tmp_path):
    base, file = folders
    network = RewordingNetwork.on(base)
    with pytest.raises(ModelMissing, match="python -m training rewordings"):
        network.load(tmp_path / "nothing.safetensors")
    network.head[0] = torch.nn.Linear(3, 3)
    with pytest.raises(ModelMissing, match="does not fit"):
        network.load(file)


def test_an_unmarked_test_cannot_reach_it(folders):
    with pytest.raises(ModelForbidden, match="rewording reader"):
        RewordingReader(*folders).same(PAIRS)


def test_nothing_is_judged_where_the_big_reader_is_not_installed_or_not_wanted(settings, tmp_path):
    registry.replace_model("rewording_judge", None)
    settings.READER_BASE, settings.READER = tmp_path, "auto"
    assert registry.rewording_judge() is None
